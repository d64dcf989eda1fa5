package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.SchedulingObserver;
import dev.sluice.model.ResourceKind;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * How long the parts of scheduling take. One of ten is measured, so that the others are as fast as
 * if nothing were.
 *
 * <p>The filters and scores that look at one node alone are asked together, and their answers are
 * kept: of plugins only those are measured that work alone.
 *
 * <p>Threads: safe.
 */
final class StepTimes {

  /** Measures from when it was made until it is stopped. */
  interface Stopwatch {

    /** For what is not measured. */
    Stopwatch NONE = () -> {};

    void stop();
  }

  private static final double[] STEPS = SchedulerMetrics.doubling(0.0001, 12);
  private static final double[] PLUGINS = SchedulerMetrics.growing(0.00001, 1.5, 20);
  private static final String SUCCESS = "Success";
  private static final String BIND = "Bind";

  private final Supplier<Instant> clock;
  private final Histogram steps;
  private final Histogram plugins;
  private final Histogram events;
  private final Samples looks = new Samples();
  private final Samples bindings = new Samples();
  private final Samples changes = new Samples();

  StepTimes(PrometheusRegistry registry, Supplier<Instant> clock) {
    this.clock = clock;
    this.steps =
        SchedulerMetrics.histogram(
            registry,
            "framework_extension_point_duration_seconds",
            "A part of an attempt; one of ten is measured",
            STEPS,
            "extension_point",
            "status",
            "profile");
    this.plugins =
        SchedulerMetrics.histogram(
            registry,
            "plugin_execution_duration_seconds",
            "What a plugin did alone; one of ten is measured",
            PLUGINS,
            "plugin",
            "extension_point",
            "status");
    this.events =
        SchedulerMetrics.histogram(
            registry,
            "event_handling_duration_seconds",
            "Taking note of a change; one of ten is measured",
            STEPS,
            "event");
  }

  /** Measures the parts of an attempt that begins now. */
  SchedulingObserver look(String profile) {
    return looks.next() ? new Meter(profile) : SchedulingObserver.NONE;
  }

  /** An attempt that is measured: each part from the end of the one before. */
  private final class Meter implements SchedulingObserver {
    private final String profile;
    private Instant began = clock.get();

    Meter(String profile) {
      this.profile = profile;
    }

    @Override
    public void done(Step step) {
      Instant now = clock.get();
      double seconds = SchedulerMetrics.seconds(Duration.between(began, now));
      steps.labelValues(step.word(), SUCCESS, profile).observe(seconds);
      if (step == Step.POST_FILTER) {
        plugins
            .labelValues(Plugin.DEFAULT_PREEMPTION.word(), step.word(), SUCCESS)
            .observe(seconds);
      }
      began = now;
    }
  }

  /** A binding begins; it is over when the answer is stopped. */
  Stopwatch bind(String profile) {
    if (!bindings.next()) {
      return Stopwatch.NONE;
    }
    Instant began = clock.get();
    return () -> {
      double seconds = secondsSince(began);
      steps.labelValues(BIND, SUCCESS, profile).observe(seconds);
      plugins.labelValues("DefaultBinder", BIND, SUCCESS).observe(seconds);
    };
  }

  /** A change of an object is looked at, until the answer is stopped. */
  Stopwatch handle(ResourceKind kind) {
    if (!changes.next()) {
      return Stopwatch.NONE;
    }
    Instant began = clock.get();
    return () -> events.labelValues(kind.kind() + "Update").observe(secondsSince(began));
  }

  private double secondsSince(Instant began) {
    return SchedulerMetrics.seconds(Duration.between(began, clock.get()));
  }
}
