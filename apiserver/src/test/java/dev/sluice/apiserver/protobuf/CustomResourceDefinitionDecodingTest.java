package dev.sluice.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceDefinition;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceDefinitionSpec;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceDefinitionVersion;
import io.kubernetes.client.proto.V1Apiextensions.CustomResourceValidation;
import io.kubernetes.client.proto.V1Apiextensions.JSON;
import io.kubernetes.client.proto.V1Apiextensions.JSONSchemaProps;
import io.kubernetes.client.proto.V1Apiextensions.JSONSchemaPropsOrArray;
import io.kubernetes.client.proto.V1Apiextensions.JSONSchemaPropsOrBool;
import org.junit.jupiter.api.Test;

class CustomResourceDefinitionDecodingTest {

  @Test
  void aCrdGetsItsSchemaBack() {
    var text = JSONSchemaProps.newBuilder().setType("string").setNullable(false).build();
    var schema =
        JSONSchemaProps.newBuilder()
            .setType("object")
            .setXKubernetesPreserveUnknownFields(true)
            .putProperties(
                "list",
                JSONSchemaProps.newBuilder()
                    .setType("array")
                    .setMinimum(1.0)
                    .setMaximum(2.5)
                    .setXKubernetesListType("set")
                    .setDefault(JSON.newBuilder().setRaw(ByteString.copyFromUtf8("[1]")))
                    .setItems(JSONSchemaPropsOrArray.newBuilder().setSchema(text))
                    .build())
            .putProperties(
                "open", additional(JSONSchemaPropsOrBool.newBuilder().setAllows(true).build()))
            .putProperties(
                "map",
                additional(
                    JSONSchemaPropsOrBool.newBuilder().setAllows(true).setSchema(text).build()))
            .build();
    var crd =
        CustomResourceDefinition.newBuilder()
            .setSpec(
                CustomResourceDefinitionSpec.newBuilder()
                    .addVersions(
                        CustomResourceDefinitionVersion.newBuilder()
                            .setName("v1")
                            .setServed(true)
                            .setStorage(false)
                            .setSchema(
                                CustomResourceValidation.newBuilder().setOpenAPIV3Schema(schema))))
            .build();

    assertThat(
            ProtobufDecoder.decode(
                    ProtobufBodies.body("apiextensions.k8s.io/v1", "CustomResourceDefinition", crd))
                .at("spec"))
        .isEqualTo(
            tree(
                """
                versions:
                - name: v1
                  served: true
                  storage: false
                  schema:
                    openAPIV3Schema:
                      type: object
                      x-kubernetes-preserve-unknown-fields: true
                      properties:
                        list: {type: array, minimum: 1, maximum: 2.5, x-kubernetes-list-type: set, default: [1], items: {type: string}}
                        open: {type: object, additionalProperties: true}
                        map: {type: object, additionalProperties: {type: string}}
                """));
  }

  private static JSONSchemaProps additional(JSONSchemaPropsOrBool values) {
    return JSONSchemaProps.newBuilder().setType("object").setAdditionalProperties(values).build();
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }
}
