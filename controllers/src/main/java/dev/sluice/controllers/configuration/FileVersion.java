package dev.sluice.controllers.configuration;

/** The versions of the configuration file. */
enum FileVersion {
  V1BETA1("config.kueue.x-k8s.io/v1beta1"),
  V1BETA2("config.kueue.x-k8s.io/v1beta2");

  private final String apiVersion;

  FileVersion(String apiVersion) {
    this.apiVersion = apiVersion;
  }

  String apiVersion() {
    return apiVersion;
  }
}
