package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.fields.StopSignals;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.core.KeyedContent;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess;
import dev.sluice.model.core.pod.EnvironmentSource;
import dev.sluice.model.core.pod.EnvironmentVariable;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.Volume;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The resolver of what a container needs to start: its command, environment and volumes. */
final class Launches {
  private final Cluster cluster;
  private final String address;
  private final Containers containers;

  Launches(Cluster cluster, String address, Containers containers) {
    this.cluster = cluster;
    this.address = address;
    this.containers = containers;
  }

  /**
   * @throws MissingException if a ConfigMap, Secret or file is missing, or an entry of it
   */
  Launch of(Pod pod, Container container) throws MissingException {
    var process = ContainerProcess.of(container);
    DownwardApi fields = fields(pod);
    var expansion = new Expansion();
    SortedMap<String, String> environment = environment(pod, container, fields, expansion);
    var command = new ArrayList<String>();
    for (List<String> words : List.of(container.command(), container.args())) {
      for (String word : words) {
        command.add(expansion.of(word, environment));
      }
    }
    return new Launch(
        command,
        environment,
        process.workingDirectory(),
        mounts(pod, process, fields, environment, expansion),
        limits(container.resources().limits()),
        new Launch.Message(process.messagePath(), process.fallsBackToLogs()),
        new Launch.Streams(process.keepsInput(), process.takesInputOnce(), process.wantsTerminal()),
        new Launch.Restraint(!process.mayGainPrivileges(), process.droppedCapabilities()),
        StopSignals.number(process.stopSignal()).orElse(StopSignals.USUAL));
  }

  private static Launch.Limits limits(Quantities limits) {
    return new Launch.Limits(
        limit(limits, "cpu").stream().map(Quantity::millis).mapToLong(Long::longValue).findFirst(),
        limit(limits, "memory").stream()
            .map(Quantity::units)
            .mapToLong(Long::longValue)
            .findFirst());
  }

  private static Optional<Quantity> limit(Quantities limits, String resource) {
    return limits.tree().has(resource)
        ? Optional.of(Quantity.of(limits.tree().at(resource)))
        : Optional.empty();
  }

  private DownwardApi fields(Pod pod) {
    Tree allocatable =
        cluster
            .get(Kinds.NODE.key(pod.nodeName()))
            .map(node -> new Node(node).status().allocatable())
            .orElse(Tree.EMPTY);
    return new DownwardApi(pod, address, allocatable);
  }

  private SortedMap<String, String> environment(
      Pod pod, Container container, DownwardApi fields, Expansion expansion)
      throws MissingException {
    var variables = new TreeMap<String, String>();
    String hostname = pod.spec().hostname();
    variables.put("HOSTNAME", hostname.isEmpty() ? pod.name() : hostname);
    var process = ContainerProcess.of(container);
    for (EnvironmentSource source : process.environmentSources()) {
      Optional<KeyedContent> content =
          content(pod, source.secret(), source.name(), source.optional());
      content.ifPresent(found ->
          found
              .entries()
              .forEach((key, bytes) -> variables.put(source.prefix() + key, text(bytes))));
    }
    for (EnvironmentVariable variable : process.environment()) {
      value(pod, container, variable, fields, variables, expansion)
          .ifPresent(value -> variables.put(variable.name(), value));
    }
    return variables;
  }

  private Optional<String> value(
      Pod pod,
      Container container,
      EnvironmentVariable variable,
      DownwardApi fields,
      SortedMap<String, String> before,
      Expansion expansion)
      throws MissingException {
    return switch (variable.source()) {
      case EnvironmentVariable.Literal(String value) -> Optional.of(expansion.of(value, before));
      case EnvironmentVariable.Field(String path) -> fields.field(path);
      case EnvironmentVariable.Resource(Tree reference) ->
          fields.resource(reference, container.name());
      case EnvironmentVariable.Key(var secret, var object, var key, var optional) ->
          entry(pod, secret, object, key, optional).map(Launches::text);
      case EnvironmentVariable.FileKey file -> entry(pod, file);
      // Such pods are refused before it comes to this.
      case EnvironmentVariable.Other _ -> Optional.empty();
    };
  }

  private Optional<String> entry(Pod pod, EnvironmentVariable.FileKey file)
      throws MissingException {
    Optional<String> text = containers.read(pod.uid(), file.volume(), file.path());
    Optional<String> found =
        text.isEmpty() ? Optional.empty() : EnvironmentFile.value(text.get(), file.key());
    if (found.isEmpty() && !file.optional()) {
      throw new MissingException(
          "couldn't find key %s in file %s of volume %s"
              .formatted(file.key(), file.path(), file.volume()));
    }
    return found;
  }

  private Optional<byte[]> entry(
      Pod pod, boolean secret, String object, String key, boolean optional)
      throws MissingException {
    Optional<KeyedContent> content = content(pod, secret, object, optional);
    Optional<byte[]> found = content.flatMap(each -> each.entry(key));
    if (found.isEmpty() && !optional) {
      throw new MissingException(
          "couldn't find key %s in %s %s/%s"
              .formatted(key, secret ? "Secret" : "ConfigMap", pod.namespace(), object));
    }
    return found;
  }

  private Optional<KeyedContent> content(Pod pod, boolean secret, String name, boolean optional)
      throws MissingException {
    Optional<ApiObject> object =
        cluster.get((secret ? Kinds.SECRET : Kinds.CONFIG_MAP).key(pod.namespace(), name));
    if (object.isEmpty() && !optional) {
      throw new MissingException(
          "%s \"%s\" not found".formatted(secret ? "secret" : "configmap", name));
    }
    return object.map(secret ? KeyedContent::ofSecret : KeyedContent::ofConfigMap);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private List<Launch.Mount> mounts(
      Pod pod,
      ContainerProcess process,
      DownwardApi fields,
      SortedMap<String, String> variables,
      Expansion expansion)
      throws MissingException {
    var contents = new TreeMap<String, Launch.Content>();
    for (Volume volume : pod.spec().volumes()) {
      try {
        contents.put(volume.name(), content(pod, volume, fields));
      } catch (MissingException notThere) {
        throw notThere.ofVolume(volume.name());
      }
    }
    var mounts = new ArrayList<Launch.Mount>();
    for (ContainerProcess.Mount mount : process.mounts()) {
      Launch.Content content = contents.get(mount.volume());
      if (content != null) {
        String part =
            mount.expands() ? expanded(mount.subPath(), variables, expansion) : mount.subPath();
        mounts.add(
            new Launch.Mount(
                mount.volume(),
                content,
                mount.path(),
                part,
                // Volumes with generated files are always read-only for the pod.
                mount.readOnly() || content instanceof Launch.Content.Files));
      }
    }
    return mounts;
  }

  private static String expanded(
      String part, SortedMap<String, String> variables, Expansion expansion)
      throws MissingException {
    String expanded = expansion.of(part, variables);
    if (expanded.contains("$(")) {
      throw new MissingException("missing value for a variable of subPathExpr " + part);
    }
    return expanded;
  }

  /** The current files of the volumes that follow changes, except of those that lack something. */
  SortedMap<String, Launch.Content.Files> files(Pod pod) {
    var files = new TreeMap<String, Launch.Content.Files>();
    for (Volume volume : pod.spec().volumes()) {
      try {
        if (content(pod, volume, fields(pod)) instanceof Launch.Content.Files found) {
          files.put(volume.name(), found);
        }
      } catch (MissingException gone) {
        // The volume keeps its files, as on every node.
      }
    }
    return files;
  }

  private Launch.Content content(Pod pod, Volume volume, DownwardApi fields)
      throws MissingException {
    var files = new TreeMap<String, Launch.FileContent>();
    for (Volume.Source source : volume.sources()) {
      switch (source) {
        case Volume.Empty() -> {
          return new Launch.Content.Scratch();
        }
        case Volume.HostPath(String path, String type) -> {
          return new Launch.Content.Host(path, type);
        }
        case Volume.Keys keys -> addKeys(pod, keys, files);
        case Volume.Downward downward -> addDownward(downward, fields, files);
        // Such pods are refused before it comes to this.
        case Volume.Other _ -> {}
      }
    }
    return new Launch.Content.Files(files);
  }

  private void addKeys(Pod pod, Volume.Keys keys, SortedMap<String, Launch.FileContent> files)
      throws MissingException {
    Optional<KeyedContent> content = content(pod, keys.secret(), keys.object(), keys.optional());
    if (content.isEmpty()) {
      return;
    }
    if (keys.entries().isEmpty()) {
      content
          .get()
          .entries()
          .forEach((key, bytes) -> files.put(key, new Launch.FileContent(bytes, keys.mode())));
    }
    for (Volume.Entry entry : keys.entries()) {
      entry(pod, keys.secret(), keys.object(), entry.key(), keys.optional())
          .ifPresent(bytes -> files.put(entry.path(), new Launch.FileContent(bytes, entry.mode())));
    }
  }

  private static void addDownward(
      Volume.Downward downward, DownwardApi fields, SortedMap<String, Launch.FileContent> files) {
    for (Volume.DownwardEntry entry : downward.entries()) {
      Optional<String> value =
          entry.field().isEmpty()
              ? fields.resource(entry.resource(), "")
              : fields.field(entry.field());
      files.put(
          entry.path(),
          new Launch.FileContent(value.orElse("").getBytes(StandardCharsets.UTF_8), entry.mode()));
    }
  }
}
