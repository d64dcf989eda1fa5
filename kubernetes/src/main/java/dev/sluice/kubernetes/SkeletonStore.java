package dev.sluice.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects that an informer has reported, as it remembers them: only their names and revisions.
 * The objects themselves are kept once, in the {@link KindCache}.
 *
 * <p>Threads: safe.
 */
final class SkeletonStore implements ItemStore<GenericKubernetesResource> {
  private final Map<String, GenericKubernetesResource> skeletons = new ConcurrentHashMap<>();

  @Override
  public String getKey(GenericKubernetesResource resource) {
    ObjectMeta metadata = resource.getMetadata();
    return metadata.getNamespace() == null
        ? metadata.getName()
        : metadata.getNamespace() + "/" + metadata.getName();
  }

  @Override
  public @Nullable GenericKubernetesResource put(String key, GenericKubernetesResource resource) {
    return skeletons.put(key, skeleton(resource));
  }

  private static GenericKubernetesResource skeleton(GenericKubernetesResource resource) {
    ObjectMeta whole = resource.getMetadata();
    var metadata = new ObjectMeta();
    metadata.setNamespace(whole.getNamespace());
    metadata.setName(whole.getName());
    metadata.setUid(whole.getUid());
    metadata.setResourceVersion(whole.getResourceVersion());
    var skeleton = new GenericKubernetesResource();
    skeleton.setApiVersion(resource.getApiVersion());
    skeleton.setKind(resource.getKind());
    skeleton.setMetadata(metadata);
    return skeleton;
  }

  @Override
  public @Nullable GenericKubernetesResource remove(String key) {
    return skeletons.remove(key);
  }

  @Override
  public @Nullable GenericKubernetesResource get(String key) {
    return skeletons.get(key);
  }

  @Override
  public Stream<String> keySet() {
    return skeletons.keySet().stream();
  }

  @Override
  public Stream<GenericKubernetesResource> values() {
    return skeletons.values().stream();
  }

  @Override
  public int size() {
    return skeletons.size();
  }

  /** Makes the informer hand over each object as it comes instead of reading it back from here. */
  @Override
  public boolean isFullState() {
    return false;
  }
}
