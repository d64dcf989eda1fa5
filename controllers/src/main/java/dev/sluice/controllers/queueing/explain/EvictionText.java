package dev.sluice.controllers.queueing.explain;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Timestamps;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.kueue.WorkloadStatus.Evictions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The evictions of a workload in words: how often, why, and for which other workload. */
final class EvictionText {
  private static final Pattern PREEMPTOR =
      Pattern.compile("a workload \\(UID: ([^,)]+)(?:, JobUID: ([^)]+))?\\)");

  private static final String BEFORE = "Previously: ";

  private final ObjectReader reader;

  EvictionText(ObjectReader reader) {
    this.reader = reader;
  }

  List<String> of(Workload workload) {
    WorkloadStatus status = workload.status();
    List<Evictions> evictions = status.evictions();
    if (evictions.isEmpty()) {
      return List.of();
    }
    int times = evictions.stream().mapToInt(Evictions::count).sum();
    var lines = new ArrayList<String>();
    lines.add(
        "Evicted %s: %s"
            .formatted(
                times == 1 ? "once" : times + " times",
                String.join(", ", evictions.stream().map(EvictionText::count).toList())));
    last(workload).ifPresent(lines::add);
    return lines;
  }

  private static String count(Evictions evictions) {
    String cause = evictions.cause().isEmpty() ? "" : " (" + evictions.cause() + ")";
    return "%d %s%s".formatted(evictions.count(), evictions.reason(), cause);
  }

  private Optional<String> last(Workload workload) {
    WorkloadStatus status = workload.status();
    String message = status.message(WorkloadStatus.EVICTED);
    if (message.isEmpty()) {
      return Optional.empty();
    }
    String why = message.startsWith(BEFORE) ? message.substring(BEFORE.length()) : message;
    // The condition became True with the eviction; once it is False, its time is that of the end.
    String when =
        status.holds(WorkloadStatus.EVICTED)
            ? status
                .since(WorkloadStatus.EVICTED)
                .map(since -> " at " + Timestamps.format(since))
                .orElse("")
            : "";
    return Optional.of("Last evicted%s: %s".formatted(when, withNames(workload, why)));
  }

  /** The message with the name of the preemptor in place of its uids. */
  private String withNames(Workload victim, String message) {
    Matcher matcher = PREEMPTOR.matcher(message);
    if (!matcher.find()) {
      return message;
    }
    String uid = String.valueOf(matcher.group(1));
    String jobUid = Optional.ofNullable(matcher.group(2)).orElse("");
    String name =
        preemptor(victim, uid, jobUid)
            .map(EvictionText::name)
            .orElse("a workload that is gone or that you may not see (UID: " + uid + ")");
    return message.substring(0, matcher.start()) + name + message.substring(matcher.end());
  }

  private Optional<ApiObject> preemptor(Workload victim, String uid, String jobUid) {
    try {
      List<ApiObject> found =
          jobUid.isEmpty() || jobUid.equals("UNKNOWN")
              ? reader.list(Kinds.WORKLOAD, victim.object().namespace())
              : reader.labelled(Kinds.WORKLOAD, "", KueueNames.JOB_UID, jobUid);
      return found.stream()
          .filter(workload ->
              workload.uid().equals(uid) || workload.label(KueueNames.JOB_UID).equals(jobUid))
          .findFirst();
    } catch (ApiException refused) {
      return Optional.empty();
    }
  }

  private static String name(ApiObject workload) {
    String of =
        workload.owners().stream()
            .findFirst()
            .map(owner -> " of %s %s".formatted(owner.kind(), owner.name()))
            .orElse("");
    return "workload %s%s".formatted(workload.path(), of);
  }
}
