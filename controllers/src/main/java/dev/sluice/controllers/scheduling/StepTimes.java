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
 * The durations of the extension points and plugins of scheduling. One attempt in ten is measured,
 * so that the others are as fast as without measuring.
 *
 * <p>The filters and scores that need one node alone run together, and their results are cached: of
 * plugins, only those that run separately are measured.
 *
 * <p>Threads: safe.
 */
final class StepTimes {

  /** A measurement from its creation until it is stopped. */
  interface Stopwatch {

    /** The stopwatch of an attempt that is not sampled. */
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

  /** The observer of an attempt that begins now, which measures its extension points if sampled. */
  SchedulingObserver look(String profile) {
    return looks.next() ? new Meter(profile) : SchedulingObserver.NONE;
  }

  /**
   * The observer of a sampled attempt: each extension point lasts from the end of the one before.
   */
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

  /** Measures a binding until the result is stopped. */
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

  /** Measures the handling of an event until the result is stopped. */
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
