package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * What is particular to one kind. The registry does what all kinds have in common and asks here for
 * the rest, in the order of these methods. Every default is the behaviour of a kind without rules.
 *
 * <p>Threads: rules keep no state and are safe.
 */
public interface KindRules {

  /** The rules of a kind that has none of its own. */
  KindRules NONE = new KindRules() {};

  /**
   * The part of an object that {@link #withDefaults} and {@link #check} look at, besides what never
   * changes. An update that leaves it as it was needs neither.
   */
  default Tree judged(ApiObject object) {
    return object.tree();
  }

  /**
   * The object with what its writer left out, as it was written. Doing it twice changes nothing.
   */
  default ApiObject withDefaults(ApiObject object) {
    return object;
  }

  /** A new object, which has its name and uid by now, with what the server sets in it. */
  default ApiObject onCreate(ApiObject object, Instant now) {
    return object;
  }

  /** An object after an update, with what such an update may not touch taken from before. */
  default ApiObject onUpdate(ApiObject before, ApiObject after, Instant now) {
    return after;
  }

  /**
   * The same for an update of the status, which only has its status and metadata from the writer.
   */
  default ApiObject onStatus(ApiObject before, ApiObject after) {
    return after;
  }

  /** What is wrong with the name of a new object, the empty text if nothing is. */
  default String nameProblem(String name) {
    return NameSyntax.subdomainProblem(name);
  }

  /** Whether the name prefix of a generated name may be what it is; its end is not the name's. */
  default String prefixProblem(String prefix) {
    return nameProblem(prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 1) : prefix);
  }

  /** What is wrong with an object, new or updated. */
  default void check(ApiObject object, ValidationErrors problems) {}

  /** What is wrong with a new object, beyond what {@link #check} finds. */
  default void checkNew(ApiObject object, ValidationErrors problems) {}

  /** What is wrong with an update, beyond what {@link #check} finds. */
  default void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {}

  /** What is wrong with an update of the status. */
  default void checkStatus(ApiObject before, ApiObject after, ValidationErrors problems) {}

  /** What the writer should be told although the object is accepted. */
  default List<String> warnings(ApiObject object) {
    return List.of();
  }

  /** The same after an update. */
  default List<String> updateWarnings(ApiObject before, ApiObject after) {
    return warnings(after);
  }

  /** What must go before a deleted object can: its finalizers, wherever the kind keeps them. */
  default List<String> holders(ApiObject object) {
    return object.finalizers();
  }

  /** How long an object gets to end by itself, when so much is asked for. */
  default long graceSeconds(ApiObject object, OptionalLong requested) {
    return 0;
  }

  /** Whether objects are marked as deleted, and seen so by watchers, before they are removed. */
  default boolean marksBeforeRemoval() {
    return false;
  }

  /** An object that has just been marked as deleted. */
  default ApiObject onDelete(ApiObject marked, Instant now) {
    return marked;
  }
}
