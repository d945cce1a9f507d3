// Secrets of channels. All secrets of a channel are encrypted under one vault key, and every change creates a new key. References can
// therefore be compared, copied and restored without revealing a secret.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { channelFields, togetherFaults } from '../../../../contract/protocols/dialled.ts'
import { type ChannelTarget, protocolOf, targetOf } from '../../../../contract/protocols/index.ts'
import { type Settings, secretsOf, settingFaults } from '../../../../contract/protocols/settings.ts'
import { described } from '../../../../contract/protocols/sources.ts'
import type { Database } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { type Check, tenantOf } from '../../../../server/resource/store.ts'
import { type netProtocol, serialProtocol } from '../contract.ts'
import { assertSwitchedOn } from './switched.ts'

type Values = Record<string, unknown>
type Given = Record<string, string | number | null>
type Sealed = { Key: string; Names: string[] }

const prefix = 'channel.'
const nameOf = (key: string) => `${prefix}${key}`

type Channel = ChannelTarget & { Ip?: unknown; Port?: unknown; SerialPort?: unknown; Settings?: Settings | null }
/** Destination of a secret, as one text: a stored secret is not sent to another destination. */
const placeOf = ({ Mode, Ip, Port, SerialPort, Settings, ProtocolType }: Channel) =>
  JSON.stringify([
    ...[ProtocolType, Mode ?? 0, Ip ?? null, Port ?? null, SerialPort ?? null],
    ...(protocolOf(ProtocolType)?.binds ?? []).map((name) => Settings?.[name] ?? null),
  ])

/** The stored secrets of a channel, with their destination. */
type Kept = { At: string; Values: Settings }
/** Reads the secrets of a channel. Returns none if they were entered for another destination. */
export const openSecrets = async (vault: Vault, enterprise: number, key: string, channel: Channel): Promise<Settings | undefined> => {
  const text = await vault.get(enterprise, nameOf(key))
  const kept = text === undefined ? undefined : (JSON.parse(text) as Kept)
  return kept?.At === placeOf(channel) ? kept.Values : undefined
}

const faultsOf = (fields: Parameters<typeof settingFaults>[0], given: Settings): FieldFault[] =>
  settingFaults(fields, given).map(({ name, rule, values }) => ({ field: `Settings.${name}`, rule, ...(values ? { values } : {}) }))

type Vaulted = { database: Database; vault: Vault }
/** Splits the given settings into plain values, new secrets, and names of secrets that are set or removed. */
const sorted = (given: Given, names: readonly string[]) => {
  const filled = Object.entries(given).filter((entry): entry is [string, string | number] => entry[1] !== null && entry[1] !== '')
  const isSecret = ([name]: [string, unknown]) => names.includes(name)
  return {
    plain: Object.fromEntries(filled.filter((entry) => !isSecret(entry))),
    fresh: Object.fromEntries(filled.filter(isSecret)),
    named: names.filter((name) => given[name] !== undefined),
  }
}

/** A described protocol requires its description; other protocols must not have one. */
const descriptionOf = (after: Values & Channel, given: Values) => {
  if (after.ProtocolType === described.number) {
    if (!after.SelfParseId) throw new FieldFaults([{ field: 'SelfParseId', rule: 'required' }])
    return {}
  }
  if (given.SelfParseId) throw new FieldFaults([{ field: 'SelfParseId', rule: 'notDescribed' }])
  return after.SelfParseId ? { SelfParseId: null } : {}
}

/** Validates the settings of a channel by its protocol, and moves the secrets into the vault. */
export const channelCheck =
  (r: typeof netProtocol | typeof serialProtocol, { database, vault }: Vaulted): Check =>
  async (db, actor, given, held) => {
    const before = (held ?? {}) as Values
    const defaults = Object.fromEntries(Object.entries(r.fields).map(([k, f]) => [k, f.default ?? null]))
    const CommType = r.name === serialProtocol.name ? 1 : 0
    const after = { ...defaults, ...before, ...given, CommType } as Values & Channel
    const protocol = protocolOf(after.ProtocolType)
    if (!protocol?.targets[targetOf(after)]) throw new FieldFaults([{ field: CommType ? 'ProtocolType' : 'Mode', rule: 'choice' }])
    if (before.ProtocolType !== after.ProtocolType)
      await assertSwitchedOn(db, held?.EnterpriseId ?? (await tenantOf(db, actor, r, given)), 1, after.ProtocolType, 'ProtocolType')
    const own = descriptionOf(after, given)
    const { plain, fresh, named } = sorted((after.Settings ?? {}) as Given, secretsOf(protocol.channel))
    const target = targetOf(after)
    // A stored secret stays if it is omitted.
    const optional = Object.entries(channelFields(protocol, target)).map(([name, f]) => [name, f.secret ? { ...f, required: false } : f])
    const faults = faultsOf(Object.fromEntries(optional), { ...plain, ...fresh })
    faults.push(...togetherFaults(protocol, target, plain).map(({ name, rule }) => ({ field: `Settings.${name}`, rule })))
    const stored = before.Secrets as Sealed | null | undefined
    const kept = before.ProtocolType === after.ProtocolType ? (stored?.Names ?? []).filter((name) => !named.includes(name)) : []
    const place = placeOf({ ...after, Settings: plain })
    const isMoved = held !== undefined && place !== placeOf({ ...before, CommType } as unknown as Channel)
    if (isMoved) faults.push(...kept.map((name) => ({ field: `Settings.${name}`, rule: 'secretAgain' })))
    if (faults.length) throw new FieldFaults(faults)
    const settled = { ...given, ...own, ...(given.Settings === undefined ? {} : { Settings: Object.keys(plain).length ? plain : null }) }
    if (!named.length && kept.length === (stored?.Names.length ?? 0)) return settled
    const enterprise = held?.EnterpriseId ?? (await tenantOf(db, actor, r, given))
    const old = kept.length ? await openSecrets(vault, enterprise, stored!.Key, { ...before, CommType } as unknown as Channel) : {}
    const all = Object.fromEntries(
      [...kept.map((name) => [name, old?.[name]]), ...Object.entries(fresh)].filter(([, v]) => v !== undefined),
    )
    const Names = Object.keys(all)
    if (!Names.length) return { ...settled, Secrets: null }
    const Key = randomUUID()
    await vault.put(database.system, enterprise, nameOf(Key), JSON.stringify({ At: place, Values: all } satisfies Kept))
    return { ...settled, Secrets: { Key, Names } }
  }

/** Deletes secrets that no channel and no stored version refers to. Skips new ones: their row may not be committed yet. */
export const dropUnusedSecrets = ({ system }: Database, now = Date.now()) =>
  system.rows(sql`
    delete from sealed_secret s where s."Name" like ${`${prefix}%`} and s."CreateTime" < ${new Date(now - 86_400_000)}
      and not exists (select from net_protocol n where ${prefix} || (n."Secrets"->>'Key') = s."Name")
      and not exists (select from serial_protocol n where ${prefix} || (n."Secrets"->>'Key') = s."Name")
      and not exists (select from config_content c, jsonb_path_query(c."Content", '$.*[*].Secrets.Key') k where ${prefix} || (k #>> '{}') = s."Name")`)
