package dev.sluice.simulator.load;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** When the jobs of a load are submitted. */
public sealed interface Arrivals {
  /** The period of a diurnal rate. */
  Duration DAY = Duration.ofDays(1);

  /** The first at {@code from}, and one {@code every} so often. */
  record Fixed(int count, Duration every, Duration from) implements Arrivals {}

  /** Where a random process ends: after so many arrivals, or at a time, whichever is earlier. */
  record End(OptionalInt count, Optional<Duration> until) {}

  /** Independent arrivals at a constant rate. */
  record Poisson(double perHour, Duration from, End end) implements Arrivals {}

  /**
   * Independent arrivals at a rate that swings around its mean once a day, as a cosine.
   *
   * @param perHour the mean rate
   * @param peak the time of day with the highest rate
   * @param amplitude from 0 for a constant rate to 1 for none at all opposite the peak
   */
  record Diurnal(double perHour, Duration peak, double amplitude, Duration from, End end)
      implements Arrivals {

    /** Draws at the highest rate, and keeps each with the part that its time has of that rate. */
    private Duration next(Duration last, RandomGenerator random) {
      double highest = perHour * (1 + amplitude);
      Duration time = last;
      do {
        time = time.plus(gap(highest, random));
      } while (random.nextDouble() * highest > rate(time) && time.compareTo(Times.MAX) < 0);
      return time;
    }

    private double rate(Duration time) {
      double days = (double) time.minus(peak).toNanos() / DAY.toNanos();
      return perHour * (1 + amplitude * StrictMath.cos(2 * StrictMath.PI * days));
    }
  }

  /** As they were once recorded, in the order of their times. */
  record Trace(List<TraceJob> jobs, Duration from) implements Arrivals {
    public Trace {
      jobs = List.copyOf(jobs);
    }
  }

  /** The arrivals in order of time, drawn as they are asked for. */
  default Iterator<Arrival> draw(RandomGenerator random) {
    return switch (this) {
      case Fixed(int count, Duration every, Duration from) ->
          LongStream.range(0, count)
              .mapToObj(number -> at(from.plus(every.multipliedBy(number))))
              .iterator();
      case Poisson(double perHour, Duration from, End end) ->
          Arrivals.until(
              end,
              Stream.iterate(
                  from.plus(gap(perHour, random)), time -> time.plus(gap(perHour, random))));
      case Diurnal day ->
          Arrivals.until(
              day.end(),
              Stream.iterate(day.next(day.from(), random), time -> day.next(time, random)));
      case Trace(List<TraceJob> jobs, Duration from) ->
          jobs.stream().map(job -> new Arrival(from.plus(job.at()), job)).iterator();
    };
  }

  private static Iterator<Arrival> until(End end, Stream<Duration> times) {
    Stream<Duration> some = end.count().isPresent() ? times.limit(end.count().getAsInt()) : times;
    return some.takeWhile(time -> end.until().filter(last -> time.compareTo(last) > 0).isEmpty())
        .map(Arrivals::at)
        .iterator();
  }

  private static Arrival at(Duration time) {
    return new Arrival(time, TraceJob.UNKNOWN);
  }

  private static Duration gap(double perHour, RandomGenerator random) {
    return Times.scaled(Duration.ofHours(1), random.nextExponential() / perHour);
  }
}
