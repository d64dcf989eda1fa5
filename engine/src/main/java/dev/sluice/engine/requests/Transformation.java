package dev.sluice.engine.requests;

import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import java.math.BigDecimal;
import java.util.TreeMap;

/**
 * One resource counted as others: a slice of a gpu as so much gpu memory, say.
 *
 * @param replaces whether the input itself is not counted any more
 * @param multiplyBy the resource whose amount multiplies the outputs; empty if none does
 * @param outputs what each unit of the input counts as
 */
public record Transformation(
    String input, boolean replaces, String multiplyBy, Quantities outputs) {

  /** What the input among these requests counts as, beside itself. */
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
