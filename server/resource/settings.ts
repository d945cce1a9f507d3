import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type BoundSecrets, type Settings, type SettingsValues, settingsCalls } from '../../contract/settings.ts'
import type { Database, Db } from '../database/db.ts'
import { Fault, FieldFaults } from '../http/faults.ts'
import { serve } from '../http/serve.ts'
import type { Actor } from '../identity/actor.ts'
import { isNarrowed } from '../identity/dataScope.ts'
import { platformEnterprise } from '../identity/setup.ts'
import type { Vault } from '../identity/vault.ts'
import { record } from './store.ts'

type Values = Record<string, unknown>

const valuesOf = (s: Settings, stored: Values = {}): Values =>
  Object.fromEntries(Object.entries(s.fields).map(([name, f]) => [name, stored[name] ?? f.default ?? null]))
const rowOf = async (db: Db, s: Settings, enterprise: number) => {
  const [row] = await db.rows<{ Config: Values; UpdateStamp: number }>(sql`
    select "Config", (extract(epoch from "UpdateTime") * 1000000)::bigint as "UpdateStamp" from tenant_config
    where "EnterpriseId" = ${enterprise} and "Name" = ${s.name}`)
  return { values: valuesOf(s, row?.Config), UpdateStamp: row?.UpdateStamp ?? 0 }
}

/** The fields of a tenant's settings, with their defaults. */
export const readSettings = async <S extends Settings>(db: Db, s: S, enterprise = platformEnterprise) =>
  (await rowOf(db, s, enterprise)).values as SettingsValues<S>

/** A stored secret goes nowhere else: a change of a field that it is bound to brings the secret again, or takes it away. */
export const assertSecretsBound = (boundTo: BoundSecrets, stored: (secret: string) => boolean, before: Values, given: Values): void => {
  const text = (value: unknown) => String(value ?? '')
  const changed = (field: string) => given[field] !== undefined && text(given[field]) !== text(before[field])
  const missing = Object.entries(boundTo).filter(([s, fields]) => given[s] === undefined && stored(s) && fields.some(changed))
  if (missing.length) throw new FieldFaults(missing.map(([field]) => ({ field, rule: 'secretAgain' })))
}

/** Serves settings: GET, and a PUT that changes what it names. */
export const serveSettings = (app: FastifyInstance, s: Settings, { database, vault }: { database: Database; vault: Vault }) => {
  const calls = settingsCalls(s)
  const secrets = Object.keys(s.secrets)
  const ownerOf = (actor: Actor) => (s.per === 'platform' ? platformEnterprise : actor.EnterpriseId)
  const read = async (db: Db, enterprise: number) => {
    const [row, names] = [await rowOf(db, s, enterprise), secrets.length ? await vault.names(enterprise, db) : new Set<string>()]
    return { ...row, secrets: Object.fromEntries(secrets.map((secret) => [`Has${secret}`, names.has(`${s.name}.${secret}`) ? 1 : 0])) }
  }
  const answerOf = ({ values, secrets, UpdateStamp }: Awaited<ReturnType<typeof read>>) => ({ ...values, ...secrets, UpdateStamp }) as never

  const update = async (db: Db, actor: Actor, given: Values) => {
    if (isNarrowed(actor)) throw new Fault('moreRights')
    const enterprise = ownerOf(actor)
    // Locks the row, so that no other change comes between a check and what it allows. A row of its own making has no stamp yet.
    await db.rows(sql`
      insert into tenant_config ("EnterpriseId", "Name", "UpdateTime") values (${enterprise}, ${s.name}, 'epoch')
      on conflict ("EnterpriseId", "Name") do update set "Name" = excluded."Name"`)
    const before = await read(db, enterprise)
    if ((given.UpdateStamp ?? before.UpdateStamp) !== before.UpdateStamp)
      throw new Fault('changedMeanwhile', {}, { Current: answerOf(before) })
    assertSecretsBound(s.secrets, (secret) => before.secrets[`Has${secret}`] === 1, before.values, given)
    const named = Object.fromEntries(Object.keys(s.fields).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
    const isSame = isDeepStrictEqual({ ...before.values, ...named }, before.values) && secrets.every((name) => given[name] === undefined)
    if (isSame) return before
    await db.rows(sql`
      update tenant_config set "Config" = "Config" || ${JSON.stringify(named)}::jsonb, "UpdateTime" = now()
      where "EnterpriseId" = ${enterprise} and "Name" = ${s.name}`)
    for (const secret of secrets) await vault.put(db, enterprise, `${s.name}.${secret}`, given[secret] as string | null | undefined)
    const after = await read(db, enterprise)
    const [was, is] = [before, after].map(({ values, secrets }) => ({ ...values, ...secrets }))
    await record(db, actor, s, 'update', enterprise, enterprise, was, is)
    return after
  }

  // Secrets are out of reach of a tenant's handle, so the server's own reads and writes them; the tenant is the actor's.
  const handleOf = (db: Db) => (secrets.length ? database.system : db)
  serve(app, calls.get, async ({ db, actor }) => answerOf(await read(handleOf(db), ownerOf(actor))))
  serve(app, calls.put, async ({ db, actor, body }) =>
    answerOf(await handleOf(db).tx((db) => update(db, actor, body as Values), `${s.name} ${ownerOf(actor)}`)),
  )
}
