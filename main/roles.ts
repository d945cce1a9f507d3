/**
 * Parts of the work. `gateway`: gateways connect to this process. The others store, judge and serve: one process does them together. Beside it,
 * processes with `api` alone serve, and those with `ingest` alone store.
 */
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
  vaultKey: string | undefined
}

/** Whether this process takes connections of gateways, answers calls or stores readings beside the owner, or does all but take connections. */
export const partsOf = (given: readonly string[]) => ({
  isBroker: given.includes('gateway'),
  isApi: given.includes('api') && !given.includes('ingest') && !given.includes('worker'),
  isIngest: given.length === 1 && given[0] === 'ingest',
  isServer: ofServer.every((role) => given.includes(role)),
})

/** Why a process cannot do these parts of the work with these settings. */
export const problemsOfRoles = (settings: Given): string[] => {
  const { roles: given, natsUrl, mqttUrl, databaseUrl, clickhouseUrl, clickhouseCluster, s3Url, vaultKey } = settings
  const problems = given
    .filter((role) => !roles.includes(role as never))
    .map((role) => `ROLES holds "${role}"; known: ${roles.join(', ')}.`)
  const { isServer, isApi, isIngest } = partsOf(given)
  if (!isServer && !isApi && !isIngest && ofServer.some((role) => given.includes(role)))
    problems.push(`ROLES must name all of ${ofServer.join(', ')}, api or ingest alone, or none of them: one process judges and writes.`)
  if (!natsUrl) {
    if (!isServer && given.some((role) => roles.includes(role as never)))
      problems.push(`ROLES=${given.join(',')} needs NATS_URL, the way to the other processes.`)
    return problems
  }
  if (isApi && !vaultKey) problems.push('ROLES=api needs PENSTOCK_VAULT_KEY, the key that keys of programs are sealed with.')
  if (mqttUrl) problems.push('MQTT_URL and NATS_URL name two ways to gateways: give one of them.')
  const shared = { DATABASE_URL: databaseUrl, 'CLICKHOUSE_URL or CLICKHOUSE_CLUSTER': clickhouseUrl ?? clickhouseCluster, S3_URL: s3Url }
  for (const [name, value] of Object.entries(shared))
    if ((isServer || ((isApi || isIngest) && name !== 'S3_URL')) && !value)
      problems.push(`NATS_URL needs ${name}: several processes share what is stored.`)
  return problems
}
