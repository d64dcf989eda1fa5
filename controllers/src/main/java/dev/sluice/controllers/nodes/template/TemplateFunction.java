package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;
import java.util.List;

/** A function that templates may call; throws a {@link TemplateException} for wrong arguments. */
@FunctionalInterface
public interface TemplateFunction {
  Value call(List<Value> arguments);
}
