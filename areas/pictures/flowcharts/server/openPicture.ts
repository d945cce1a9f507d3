import { sql } from 'kysely'
import { keyOf, parse, referencesOf } from '../../../../contract/expression/parse.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Scene } from '../../../../contract/picture/scene.ts'
import { idOf, nameOf, referencesIn } from '../../../../contract/picture/sceneReferences.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { paraInfo } from '../../../analysis/telemetry/server/service.ts'
import { point } from '../../../configuration/points/contract.ts'
import type { Standing } from '../contract.ts'

export type Given = Record<string, string | number>
type Owner = { EnterpriseId: number }

/** The type and value of each parameter: the given value, or the one saved with the scene. */
const valuesOf = ({ parameters = [] }: Pick<Scene, 'parameters'>, given: Given) =>
  new Map(parameters.map(({ name, type, value }) => [name, { type, value: Object.hasOwn(given, name) ? given[name] : value }]))

/** The points behind names such as `{Pump.Speed}`: those of the parameter's device with that name. */
export const pointsByName = async (db: Db, actor: Actor, { EnterpriseId }: Owner, scene: Scene, given: Given) => {
  const values = valuesOf(scene, given)
  type Named = { key: string; id: number } | { key: string; device: number; name: string }
  const asked = [...referencesIn(scene).keys()].flatMap((key): Named[] => {
    const name = nameOf(key)
    const { type, value } = (name && values.get(name.parameter)) ?? {}
    const id = Number(value)
    if (!name || !value || !Number.isSafeInteger(id)) return []
    if (name.point !== undefined) return type === 'device' ? [{ key, device: id, name: name.point }] : []
    // A number does not refer to the point with that Id.
    return type === 'point' ? [{ key, id }] : []
  })
  const named = asked.filter((one) => 'device' in one)
  const models = new Map(scene.parameters?.flatMap(({ name, model }) => (model ? [[name, model]] : [])))
  const found = named.length
    ? await db.rows<{ Key: string; Id: number; ModelId: number | null }>(sql`
        select n.key as "Key", t."Id", d."ModelId" from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n (key text, device bigint, name text)
        join point t on t."DeviceId" = n.device and t."ParaName" = n.name join device d on d."Id" = t."DeviceId"
        where t."EnterpriseId" = ${EnterpriseId} and ${visible(point, actor)}`)
    : []
  // A parameter for one model accepts only devices of that model.
  const fitting = found.filter(({ Key, ModelId }) => (models.get(nameOf(Key)!.parameter) ?? ModelId) === ModelId)
  return new Map([
    ...fitting.map(({ Key, Id }) => [Key, Id] as const),
    ...asked.flatMap((one) => ('id' in one ? [[one.key, one.id!] as const] : [])),
  ])
}

export const standingAlarms = (db: Db, actor: Actor, ids: readonly number[], devices: readonly number[], all = false) =>
  db.rows<Standing>(sql`
    select t."ParaId", max(t."AlarmLevel")::int as "Level", bool_or(t."AckStatus" = 0) as "Unacknowledged", bool_and(t."IsShelved" = 1) as "Shelved"
    from alarm_info t where t."IsActive" = 1 and t."DeviceId" = any(${devices}::bigint[]) and t."ParaId" = any(${ids}::bigint[])
      and ${all ? sql`true` : visible(alarmInfo, actor)}
    group by 1`)

/**
 * The points of a scene that are visible to the caller, with their latest values. Invisible and deleted points are withheld
 * in the same way.
 */
export const pointsOf = async (
  db: Db,
  actor: Actor,
  latest: Telemetry['latest'] | undefined,
  { scene, owner, given, language }: { scene: Scene; owner: Owner; given: Given; language: Language },
) => {
  const keys = [...referencesIn(scene).keys()]
  const byName = await pointsByName(db, actor, owner, scene, given)
  const wanted = [...new Set([...keys.flatMap((key) => idOf(key) ?? []), ...byName.values()])]
  const devices = wanted.length
    ? await db.rows<{ Id: number }>(
        sql`select distinct "DeviceId" as "Id" from point t where "Id" = any(${wanted}::bigint[]) and "EnterpriseId" = ${owner.EnterpriseId} and ${visible(point, actor)}`,
      )
    : []
  const deviceIds = devices.map(({ Id }) => Id)
  const all = deviceIds.length ? await paraInfo(db, actor, language, { pointIds: wanted, deviceIds }) : []
  const seen = new Map(all.map((one) => [one.ParaId, one]))
  const Alarms = seen.size ? await standingAlarms(db, actor, [...seen.keys()], deviceIds) : []
  const idFor = (key: string) => idOf(key) ?? byName.get(key)
  const constants = new Set(
    [...valuesOf(scene, given)].flatMap(([name, { type, value }]) => (type !== 'point' && typeof value === 'number' ? [`{${name}}`] : [])),
  )
  return {
    Points: [...seen.values()],
    Named: Object.fromEntries([...byName].flatMap(([key, id]) => (seen.has(id) ? [[key, id]] : []))),
    Withheld: keys.filter((key) => !seen.has(idFor(key) ?? 0) && !constants.has(key)),
    Values: [...seen.keys()].flatMap((ParaId) => {
      const s = latest?.get(ParaId)
      return s ? [{ ParaId, Time: s.time, Value: s.value, Quality: s.quality }] : []
    }),
    Alarms,
  }
}

/** Points of a scene, by Id, that the caller may not see, with the item that uses each. */
export const unseenPoints = async (db: Db, actor: Actor, { EnterpriseId }: Owner, scene: Scene) => {
  const named = [...referencesIn(scene)].flatMap(([key, place]) => {
    const id = idOf(key)
    return id === undefined ? [] : [{ id, key, ...place }]
  })
  const ids = named.map(({ id }) => id)
  const seen = new Set(
    (
      await db.rows<{ Id: number }>(
        sql`select "Id" from point t where "Id" = any(${ids}::bigint[]) and "EnterpriseId" = ${EnterpriseId} and ${visible(point, actor)}`,
      )
    ).map(({ Id }) => Id),
  )
  return named.filter(({ id }) => !seen.has(id))
}

/** The write mode of each of these points that is visible to the actor. */
export const writeModes = async (db: Db, actor: Actor, { EnterpriseId }: Owner, ids: readonly number[]) =>
  new Map(
    (
      await db.rows<{ Id: number; ReadWriteType: number }>(
        sql`select "Id", "ReadWriteType" from point t where "Id" = any(${ids}::bigint[]) and "EnterpriseId" = ${EnterpriseId} and ${visible(point, actor)}`,
      )
    ).map(({ Id, ReadWriteType }) => [Id, ReadWriteType]),
  )

/** Points that a scene writes, by the key of their reference, with the item that writes. */
export const writtenBy = (scene: Scene) =>
  scene.items.flatMap((item) =>
    (item.acts ?? []).flatMap(({ of }, i) => {
      const tree = of === undefined ? undefined : parse(of).tree
      return tree ? referencesOf(tree).map((reference) => ({ key: keyOf(reference), item: item.id, field: `acts.${i}.of` })) : []
    }),
  )
