package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * The rules of one kind. The registry does what all kinds have in common and calls these methods
 * for the rest, in this order. The default methods are the behaviour of a kind without rules.
 *
 * <p>Threads: rules are stateless and safe.
 */
public interface KindRules {

  /** The rules of a kind that has none of its own. */
  KindRules NONE = new KindRules() {};

  /**
   * The part of an object that {@link #withDefaults} and {@link #check} read, in addition to what
   * never changes. An update that leaves it unchanged needs neither.
   */
  default Tree validated(ApiObject object) {
    return object.tree();
  }

  /** The object with its defaults. Idempotent. */
  default ApiObject withDefaults(ApiObject object) {
    return object;
  }

  /** A new object, with its name and uid, and with the fields that the server sets. */
  default ApiObject onCreate(ApiObject object, Instant now) {
    return object;
  }

  /** An object after an update, with read-only fields taken from before. */
  default ApiObject onUpdate(ApiObject before, ApiObject after, Instant now) {
    return after;
  }

  /** The same for an update of the status, where only status and metadata come from the client. */
  default ApiObject onStatus(ApiObject before, ApiObject after) {
    return after;
  }

  /** The problem with the name of a new object, empty if it is valid. */
  default String nameProblem(String name) {
    return NameSyntax.subdomainProblem(name);
  }

  /**
   * The problem with the prefix of a generated name, whose end need not be valid as the end of a
   * name.
   */
  default String prefixProblem(String prefix) {
    return nameProblem(prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 1) : prefix);
  }

  /** Validates an object, new or updated. */
  default void check(ApiObject object, ValidationErrors problems) {}

  /** Validates a new object, in addition to {@link #check}. */
  default void checkNew(ApiObject object, ValidationErrors problems) {}

  /** Validates an update, in addition to {@link #check}. */
  default void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {}

  /** Validates an update of the status. */
  default void checkStatus(ApiObject before, ApiObject after, ValidationErrors problems) {}

  /** The warnings about an object that is accepted. */
  default List<String> warnings(ApiObject object) {
    return List.of();
  }

  /** The warnings about an update. */
  default List<String> updateWarnings(ApiObject before, ApiObject after) {
    return warnings(after);
  }

  /** The finalizers of an object, wherever the kind keeps them. */
  default List<String> holders(ApiObject object) {
    return object.finalizers();
  }

  /** The grace period of a deletion, given the requested one. */
  default long graceSeconds(ApiObject object, OptionalLong requested) {
    return 0;
  }

  /** Whether watchers see an object as deleting before it is removed. */
  default boolean marksBeforeRemoval() {
    return false;
  }

  /** An object that has just been marked as deleted. */
  default ApiObject onDelete(ApiObject marked, Instant now) {
    return marked;
  }
}
