package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.AdmissionHook;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class ReviewsTest {
  /** Says in a label when it was asked, and refuses what is called bad. */
  private static final AdmissionHook HOOK =
      new AdmissionHook() {
        @Override
        public ResourceKind kind() {
          return Kinds.JOB;
        }

        @Override
        public ApiObject onCreate(ApiObject object) {
          return object.withLabel("asked", "create");
        }

        @Override
        public ApiObject onUpdate(ApiObject before, ApiObject after) {
          return after.withLabel("asked", "update of " + before.name());
        }

        @Override
        public void checkCreate(ApiObject object) {
          refuseBad("create", object);
        }

        @Override
        public void checkUpdate(ApiObject before, ApiObject after) {
          refuseBad("update of " + before.name(), after);
        }

        @Override
        public void checkStatus(ApiObject before, ApiObject after) {
          refuseBad("status of " + before.name(), after);
        }

        @Override
        public List<String> warnings(ApiObject object) {
          return object.name().equals("odd") ? List.of("odd: is allowed") : List.of();
        }

        private static void refuseBad(String when, ApiObject object) {
          if (object.name().equals("bad")) {
            throw ApiFailure.because(ApiFailure.Reason.FORBIDDEN, "bad at " + when);
          }
        }
      };

  private final AdmissionReviews reviews = new AdmissionReviews(List.of(HOOK));

  @Test
  void aMutationIsAPatch() {
    Tree answer = reviews.mutate(review("CREATE", "", "good")).tree("response");

    assertThat(answer.text("uid")).isEqualTo("u-1");
    assertThat(answer.flag("allowed")).isTrue();
    assertThat(answer.text("patchType")).isEqualTo("JSONPatch");
    assertThat(patch(answer)).contains("/metadata/labels").contains("\"create\"");
    assertThat(patch(reviews.mutate(review("UPDATE", "", "good")).tree("response")))
        .contains("update of before");
  }

  @Test
  void whatNoHookChangesHasNoPatch() {
    Tree answer = reviews.mutate(review("UPDATE", "status", "good")).tree("response");

    assertThat(answer).isEqualTo(Tree.of("uid", "u-1", "allowed", true));
  }

  @Test
  void aRefusalHasTheHooksWordsAndCode() {
    assertThat(refusal("CREATE", "")).isEqualTo("bad at create");
    assertThat(refusal("UPDATE", "")).isEqualTo("bad at update of before");
    assertThat(refusal("UPDATE", "status")).isEqualTo("bad at status of before");
    assertThat(reviews.validate(review("UPDATE", "scale", "bad")).flag("response", "allowed"))
        .isTrue();
    assertThat(reviews.validate(review("CREATE", "", "good")).flag("response", "allowed")).isTrue();
  }

  @Test
  void allowedReviewMayCarryAWarning() {
    Tree warned = Tree.of("uid", "u-1", "allowed", true, "warnings", List.of("odd: is allowed"));

    assertThat(reviews.validate(review("CREATE", "", "odd")).tree("response")).isEqualTo(warned);
    assertThat(reviews.validate(review("UPDATE", "", "odd")).tree("response")).isEqualTo(warned);
    assertThat(reviews.validate(review("UPDATE", "status", "odd")).tree("response"))
        .isEqualTo(Tree.of("uid", "u-1", "allowed", true));
  }

  private String refusal(String operation, String subresource) {
    Tree answer = reviews.validate(review(operation, subresource, "bad")).tree("response");
    assertThat(answer.flag("allowed")).isFalse();
    assertThat(answer.whole("status", "code")).hasValue(403);
    return answer.text("status", "message");
  }

  @Test
  void objectsAreConvertedInOrderOrNotAtAll() {
    var conversions =
        new ConversionReviews((object, version) -> {
          if (object.name().equals("bad")) {
            throw ApiFailure.because(ApiFailure.Reason.INVALID, "cannot convert bad");
          }
          return object.with(List.of("apiVersion"), version);
        });

    Tree converted = conversions.convert(conversion("a", "b")).tree("response");
    assertThat(converted.text("result", "status")).isEqualTo("Success");
    assertThat(converted.trees("convertedObjects").stream().map(ApiObject::new))
        .extracting(ApiObject::apiVersion, ApiObject::name)
        .containsExactly(Tuple.tuple("g/v2", "a"), Tuple.tuple("g/v2", "b"));

    Tree failed = conversions.convert(conversion("a", "bad")).tree("response");
    assertThat(failed.text("result", "status")).isEqualTo("Failure");
    assertThat(failed.text("result", "message")).isEqualTo("cannot convert bad");
    assertThat(failed.has("convertedObjects")).isFalse();
  }

  @Test
  void onlyWhatAHookHasASayInIsAsked() {
    AdmissionHook onlyCreate =
        new AdmissionHook() {
          @Override
          public ResourceKind kind() {
            return Kinds.POD;
          }

          @Override
          public ApiObject onCreate(ApiObject object) {
            return object.withLabel("a", "b");
          }
        };

    List<HookedKind> kinds = HookedKind.of(List.of(onlyCreate, HOOK));

    assertThat(kinds).extracting(HookedKind::name).containsExactly("jobs.batch", "pods");
    assertThat(kinds.getLast().mutatedAt()).containsExactly("CREATE");
    assertThat(kinds.getLast().checkedAt()).isEmpty();
    assertThat(kinds.getLast().checksStatus()).isFalse();
    assertThat(kinds.getFirst().mutatedAt()).containsExactly("CREATE", "UPDATE");
    assertThat(kinds.getFirst().checksStatus()).isTrue();
  }

  private static String patch(Tree answer) {
    return new String(Base64.getDecoder().decode(answer.text("patch")), StandardCharsets.UTF_8);
  }

  private static Tree review(String operation, String subresource, String name) {
    String before = operation.equals("CREATE") ? "null" : job("before");
    return Json.parse(
            """
            {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request":
              {"uid": "u-1", "operation": "%s", "subResource": "%s", "object": %s, "oldObject": %s}}
            """
                .formatted(operation, subresource, job(name), before))
        .asTree();
  }

  private static String job(String name) {
    return """
    {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "%s", "creationTimestamp": null}}
    """
        .formatted(name);
  }

  private static Tree conversion(String... names) {
    var objects =
        Arrays.stream(names)
            .map(name -> Tree.of("apiVersion", "g/v1", "metadata", Tree.of("name", name)))
            .toList();
    Tree request = Tree.of("uid", "u-2", "desiredAPIVersion", "g/v2", "objects", objects);
    return Tree.of("request", request);
  }
}
