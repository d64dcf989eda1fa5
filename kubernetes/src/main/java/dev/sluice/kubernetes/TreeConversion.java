package dev.sluice.kubernetes;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes our trees of what the client and the server hand us. Nothing is lost but what says nothing:
 * fields that are null, and {@code metadata.managedFields}, which is often the larger half of an
 * object and which only the server needs.
 */
public final class TreeConversion {
  private static final String METADATA = "metadata";

  private TreeConversion() {}

  /** What the client reads with. Knows no kinds but Status: objects stay what the server said. */
  static KubernetesSerialization serialization() {
    var mapper =
        JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    var serialization = new KubernetesSerialization(mapper, false);
    serialization.registerKubernetesResource("v1", "Status", Status.class);
    return serialization;
  }

  /** An object that the client's informers brought. */
  static ApiObject object(GenericKubernetesResource resource) {
    var fields = new Fields(resource.getAdditionalProperties());
    fields.put("apiVersion", resource.getApiVersion());
    fields.put("kind", resource.getKind());
    ObjectMeta metadata = resource.getMetadata();
    if (metadata != null) {
      fields.put(METADATA, metadata(metadata));
    }
    return new ApiObject(fields.tree());
  }

  /** An object that the server sent. */
  public static ApiObject object(Tree answer) {
    return new ApiObject(withoutNulls(answer.without(List.of(METADATA, "managedFields"))));
  }

  private static Tree metadata(ObjectMeta metadata) {
    var fields = new Fields(metadata.getAdditionalProperties());
    fields.put("name", metadata.getName());
    fields.put("generateName", metadata.getGenerateName());
    fields.put("namespace", metadata.getNamespace());
    fields.put("selfLink", metadata.getSelfLink());
    fields.put("uid", metadata.getUid());
    fields.put("resourceVersion", metadata.getResourceVersion());
    fields.put("generation", metadata.getGeneration());
    fields.put("creationTimestamp", metadata.getCreationTimestamp());
    fields.put("deletionTimestamp", metadata.getDeletionTimestamp());
    fields.put("deletionGracePeriodSeconds", metadata.getDeletionGracePeriodSeconds());
    fields.putUnlessEmpty("labels", metadata.getLabels());
    fields.putUnlessEmpty("annotations", metadata.getAnnotations());
    fields.putUnlessEmpty("finalizers", metadata.getFinalizers());
    fields.putUnlessEmpty(
        "ownerReferences",
        metadata.getOwnerReferences().stream().map(TreeConversion::owner).toList());
    return fields.tree();
  }

  private static Tree owner(OwnerReference reference) {
    var fields = new Fields(reference.getAdditionalProperties());
    fields.put("apiVersion", reference.getApiVersion());
    fields.put("kind", reference.getKind());
    fields.put("name", reference.getName());
    fields.put("uid", reference.getUid());
    fields.put("controller", reference.getController());
    fields.put("blockOwnerDeletion", reference.getBlockOwnerDeletion());
    return fields.tree();
  }

  private static Value value(@Nullable Object plain) {
    return switch (plain) {
      case null -> Value.Null.NULL;
      case Map<?, ?> map -> new Fields(map).tree();
      case List<?> list -> list.isEmpty() ? Items.EMPTY : items(list);
      case BigInteger number ->
          number.bitLength() < Long.SIZE
              ? new Value.Whole(number.longValue())
              : new Value.Decimal(new BigDecimal(number));
      case Double number -> new Value.Decimal(BigDecimal.valueOf(number));
      case Float number -> new Value.Decimal(new BigDecimal(number.toString()));
      case Object other -> Value.of(other);
    };
  }

  private static Items items(List<?> list) {
    var values = new ArrayList<Value>(list.size());
    list.forEach(element -> values.add(value(element)));
    return new Items(values);
  }

  private static Tree withoutNulls(Tree tree) {
    Tree result = tree;
    for (String name : tree.names()) {
      Value value = tree.at(name);
      result =
          value == Value.Null.NULL ? result.without(name) : result.with(name, withoutNulls(value));
    }
    return result;
  }

  private static Value withoutNulls(Value value) {
    return switch (value) {
      case Tree tree -> withoutNulls(tree);
      case Items(List<Value> items) ->
          Items.of(items.stream().map(TreeConversion::withoutNulls).toList());
      case Value.Text text -> text;
      case Value.Whole whole -> whole;
      case Value.Decimal decimal -> decimal;
      case Value.Flag flag -> flag;
      case Value.Null nothing -> nothing;
    };
  }

  /** Collects the fields of one object, leaving out those that are null. */
  private static final class Fields {
    private final Map<String, Value> values = new TreeMap<>();

    Fields(@Nullable Map<?, ?> others) {
      if (others != null) {
        others.forEach((name, value) -> put((String) name, value));
      }
    }

    void put(String name, @Nullable Object value) {
      if (value != null) {
        values.put(name, value(value));
      }
    }

    void putUnlessEmpty(String name, @Nullable Map<?, ?> value) {
      put(name, value == null || value.isEmpty() ? null : value);
    }

    void putUnlessEmpty(String name, @Nullable List<?> value) {
      put(name, value == null || value.isEmpty() ? null : value);
    }

    Tree tree() {
      return Tree.of(values);
    }
  }
}
