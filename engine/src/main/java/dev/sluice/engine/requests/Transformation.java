package dev.sluice.engine.requests;

import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import java.math.BigDecimal;
import java.util.TreeMap;

/**
 * A resource transformation: one resource counted as others, such as a slice of a gpu as gpu
 * memory.
 *
 * @param replaces whether the outputs replace the input
 * @param multiplyBy the resource whose amount multiplies the outputs; empty if none does
 * @param outputs the amounts for each unit of the input
 */
public record Transformation(
    String input, boolean replaces, String multiplyBy, Quantities outputs) {

  /** The outputs for these requests. */
  Quantities produce(Quantities requests) {
    BigDecimal factor = requests.get(input).value();
    if (requests.has(multiplyBy)) {
      factor = factor.multiply(requests.get(multiplyBy).value());
    }
    var produced = new TreeMap<String, Quantity>();
    for (var output : outputs.byResource().entrySet()) {
      produced.put(output.getKey(), output.getValue().times(factor));
    }
    return new Quantities(produced);
  }
}
