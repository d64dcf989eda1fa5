package dev.sluice.runtime;

import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Brings one concern of the world towards what the objects ask for.
 *
 * <p>A controller is level-triggered: {@link #reconcile} looks at what is, decides, and writes.
 * What it was called for is only a hint. It may be stopped between any two writes and started
 * again; nothing important lives only in its memory. One key is never reconciled twice at once.
 */
public interface Controller {

  /** A short name for logs, and for the flags that say which controllers run. */
  String name();

  /** Which events concern this controller. */
  List<Trigger> triggers();

  /**
   * Brings one key up to date. An exception means: try again later, with growing delays.
   *
   * @return whether to look again after some time although nothing happens
   */
  Outcome reconcile(ObjectKey key);

  /**
   * Lets the controller ask for keys by itself, for what no watch can show: that it has just been
   * started, or that a process has ended. Called once, before it reconciles anything; {@code wake}
   * may be called on any thread.
   */
  default Subscription listen(Consumer<ObjectKey> wake) {
    return () -> {};
  }

  /** The events of one kind, and the keys that each of them asks to reconcile. */
  record Trigger(ResourceKind kind, Function<ObjectEvent, List<ObjectKey>> keys) {

    /** The object that changed is the one to reconcile. */
    public static Trigger on(ResourceKind kind) {
      return new Trigger(kind, event -> List.of(event.object().key(kind)));
    }

    /** The one to reconcile is what controls the object that changed, if it is of a kind. */
    public static Trigger onOwned(ResourceKind kind, ResourceKind ownerKind) {
      return new Trigger(
          kind,
          event ->
              event
                  .object()
                  .controller()
                  .filter(owner -> owner.kind().equals(ownerKind.kind()))
                  .filter(owner -> owner.group().equals(ownerKind.group()))
                  .map(owner -> List.of(ownerKind.key(event.object().namespace(), owner.name())))
                  .orElse(List.of()));
    }

    /** Every event of the kind asks for the same key. */
    public static Trigger onAny(ResourceKind kind, ObjectKey key) {
      return new Trigger(kind, event -> List.of(key));
    }
  }

  /** When to look at a key again. */
  sealed interface Outcome {
    /** When something happens to it. */
    record Done() implements Outcome {}

    /** After some time, or earlier if something happens to it; delays of centuries are cut. */
    record Again(Duration after) implements Outcome {
      private static final Duration LONGEST = Duration.ofDays(36_500);

      public Again {
        after = after.compareTo(LONGEST) > 0 ? LONGEST : after;
      }
    }

    Outcome DONE = new Done();

    static Outcome again(Duration after) {
      return new Again(after);
    }
  }
}
