import { sql } from 'kysely'
import type { BoundSecrets, Config } from '../../contract/channel-settings.ts'
import type { Db } from '../database/db.ts'
import { FieldFaults } from '../http/faults.ts'
import type { Vault } from '../identity/vault.ts'

type Values = Record<string, unknown>

/** A tenant's settings of one kind, with their defaults; secrets only as whether they are there. */
export const readConfig = async (db: Db, vault: Vault, enterprise: number, c: Config): Promise<Values> => {
  const [[row], names] = await Promise.all([
    db.rows<{ Config: Values }>(sql`select "Config" from tenant_config where "EnterpriseId" = ${enterprise} and "Name" = ${c.name}`),
    vault.names(enterprise),
  ])
  return {
    ...Object.fromEntries(Object.entries(c.fields).map(([k, f]) => [k, row?.Config[k] ?? f.default ?? null])),
    ...Object.fromEntries(c.secrets.map((s) => [`Has${s}`, names.has(`${c.name}.${s}`) ? 1 : 0])),
  }
}

/** A stored secret goes nowhere else: a change of a field that it is bound to brings the secret again, or takes it away. */
export const assertSecretsBound = (boundTo: BoundSecrets, stored: (secret: string) => boolean, before: Values, given: Values): void => {
  const text = (value: unknown) => String(value ?? '')
  const changed = (field: string) => given[field] !== undefined && text(given[field]) !== text(before[field])
  const missing = Object.entries(boundTo).filter(([s, fields]) => given[s] === undefined && stored(s) && fields.some(changed))
  if (missing.length) throw new FieldFaults(missing.map(([field]) => ({ field, rule: 'secretAgain' })))
}

/** The settings before a change. Waits for other changes of them, so that none comes between a check and what it allows. */
export const lockConfig = async (db: Db, vault: Vault, enterprise: number, c: Config): Promise<Values> => {
  await db.rows(sql`
    insert into tenant_config ("EnterpriseId", "Name", "Config") values (${enterprise}, ${c.name}, '{}') on conflict ("EnterpriseId", "Name") do nothing`)
  await db.rows(sql`select 1 from tenant_config where "EnterpriseId" = ${enterprise} and "Name" = ${c.name} for update`)
  return readConfig(db, vault, enterprise, c)
}

/** What is not named stays. Inside the caller's transaction. */
export const writeConfig = async (db: Db, vault: Vault, enterprise: number, c: Config, given: Values): Promise<void> => {
  const change = Object.fromEntries(Object.keys(c.fields).flatMap((k) => (given[k] === undefined ? [] : [[k, given[k]]])))
  await db.rows(sql`
    insert into tenant_config ("EnterpriseId", "Name", "Config") values (${enterprise}, ${c.name}, ${JSON.stringify(change)}::jsonb)
    on conflict ("EnterpriseId", "Name") do update set "Config" = tenant_config."Config" || excluded."Config", "UpdateTime" = now()`)
  for (const s of c.secrets) await vault.put(db, enterprise, `${c.name}.${s}`, given[s] as string | null | undefined)
}
