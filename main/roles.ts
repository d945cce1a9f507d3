/** Parts of the work. `gateway`: gateways connect to this process. The others store, judge and serve, and are done together by one process. */
export const roles = ['gateway', 'api', 'ingest', 'worker'] as const
const ofServer = roles.filter((role) => role !== 'gateway')

type Given = {
  roles: readonly string[]
  natsUrl: string | undefined
  mqttUrl: string | undefined
  databaseUrl: string | undefined
  clickhouseUrl: string | undefined
  clickhouseCluster: string | undefined
  s3Url: string | undefined
}

/** Whether this process takes connections of gateways, and whether it does all the rest. */
export const partsOf = (given: readonly string[]) => ({
  isBroker: given.includes('gateway'),
  isServer: ofServer.every((role) => given.includes(role)),
})

/** Why a process cannot do these parts of the work with these settings. */
export const problemsOfRoles = (settings: Given): string[] => {
  const { roles: given, natsUrl, mqttUrl, databaseUrl, clickhouseUrl, clickhouseCluster, s3Url } = settings
  const problems = given
    .filter((role) => !roles.includes(role as never))
    .map((role) => `ROLES holds "${role}"; known: ${roles.join(', ')}.`)
  const { isServer } = partsOf(given)
  if (!isServer && ofServer.some((role) => given.includes(role)))
    problems.push(`ROLES must name all of ${ofServer.join(', ')}, or none of them: one process does them together.`)
  if (!natsUrl) {
    if (!isServer && given.includes('gateway')) problems.push('ROLES=gateway needs NATS_URL, the way to the other processes.')
    return problems
  }
  if (mqttUrl) problems.push('MQTT_URL and NATS_URL name two ways to gateways: give one of them.')
  const shared = { DATABASE_URL: databaseUrl, 'CLICKHOUSE_URL or CLICKHOUSE_CLUSTER': clickhouseUrl ?? clickhouseCluster, S3_URL: s3Url }
  for (const [name, value] of Object.entries(shared))
    if (isServer && !value) problems.push(`NATS_URL needs ${name}: several processes share what is stored.`)
  return problems
}
