package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A Go text template, parsed once and rendered often.
 *
 * <p>A missing field is empty, as in Go where the data are maps. The cost of a template is bounded:
 * its output, its steps and the depth of its calls.
 *
 * <p>Threads: safe if its functions are.
 */
public final class Template {
  private final SortedMap<String, List<Part>> named;

  private Template(SortedMap<String, List<Part>> named) {
    this.named = named;
  }

  /**
   * Parses a template.
   *
   * @param functions its functions in addition to {@link Functions#STANDARD}
   * @throws TemplateException if it is invalid; the message names the line
   */
  public static Template parse(String text, SortedMap<String, TemplateFunction> functions) {
    var all = new TreeMap<>(Functions.STANDARD);
    all.putAll(functions);
    return new Template(new Parser(Scanner.scan(text), all).parse());
  }

  /**
   * Renders it with {@code data} as its dot.
   *
   * @throws TemplateException if that fails
   */
  public String render(Value data) {
    return new Rendering(named).render(data);
  }
}
