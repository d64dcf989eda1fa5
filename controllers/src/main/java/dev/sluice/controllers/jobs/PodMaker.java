package dev.sluice.controllers.jobs;

import dev.sluice.model.ApiObject;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The factory of the pods of one Job. They share everything in which they do not differ, so that
 * many pods cost little more than their differences.
 */
final class PodMaker {
  private static final String NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int NAME_SUFFIX = 5;
  private static final int NAME_BASE = 58;
  private static final String INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

  private final Job job;
  private final ApiObject common;

  PodMaker(Job job) {
    this.job = job;
    ApiObject pod = job.pod();
    this.common = job.isIndexed() ? pod.withSpec(withIndexVariable(job.podSpec())) : pod;
  }

  private static Tree withIndexVariable(PodSpec spec) {
    return spec.withContainers(PodMaker::withIndexVariable).tree();
  }

  private static Container withIndexVariable(Container container) {
    List<Tree> variables = container.tree().trees("env");
    if (variables.stream().anyMatch(variable -> variable.text("name").equals(INDEX_VARIABLE))) {
      return container;
    }
    // With its default, so that the server keeps the container as it is, one instance for all pods.
    Tree source =
        Tree.of("apiVersion", "v1", "fieldPath", "metadata.labels['" + JobPod.INDEX + "']");
    var more = new ArrayList<>(variables);
    more.add(Tree.of("name", INDEX_VARIABLE, "valueFrom", Tree.of("fieldRef", source)));
    return new Container(container.tree().with("env", Items.of(more)));
  }

  /** The pod, with a unique name. */
  ApiObject make(NewPod wanted, RandomGenerator random) {
    return switch (wanted) {
      case NewPod.Plain _ -> named(common, plainBase(), random);
      case NewPod.Indexed(long index) -> indexed(index, random);
      case NewPod.Counted(long index, long failures, long ignored) -> {
        ApiObject pod =
            indexed(index, random).withAnnotation(JobPod.FAILURES, Long.toString(failures));
        yield ignored == 0
            ? pod
            : pod.withAnnotation(JobPod.IGNORED_FAILURES, Long.toString(ignored));
      }
    };
  }

  private ApiObject indexed(long index, RandomGenerator random) {
    String number = Long.toString(index);
    ApiObject pod =
        common
            .withAnnotation(JobPod.INDEX, number)
            .withLabel(JobPod.INDEX, number)
            .with(List.of("spec", "hostname"), job.name() + "-" + number);
    return named(pod, indexBase(number), random);
  }

  private String plainBase() {
    return job.name() + "-";
  }

  /** The name is shortened, if it must be, in front of the index. */
  private String indexBase(String index) {
    String end = "-" + index + "-";
    int room = NAME_BASE - end.length();
    String name = job.name();
    return (name.length() > room ? name.substring(0, room) : name) + end;
  }

  /** The same pod under another name. */
  static ApiObject renamed(ApiObject pod, RandomGenerator random) {
    return named(pod, pod.metadata().text("generateName"), random);
  }

  private static ApiObject named(ApiObject pod, String base, RandomGenerator random) {
    return pod.withMetadata("name", name(base, random)).withMetadata("generateName", base);
  }

  static String name(String base, RandomGenerator random) {
    var name = new StringBuilder(base.length() > NAME_BASE ? base.substring(0, NAME_BASE) : base);
    for (int i = 0; i < NAME_SUFFIX; i++) {
      name.append(NAME_LETTERS.charAt(random.nextInt(NAME_LETTERS.length())));
    }
    return name.toString();
  }
}
