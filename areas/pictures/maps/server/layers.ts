import { sql } from 'kysely'
import type { Attachment } from '../../../../contract/field.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { tenantLocks } from '../../../../server/database/locks.ts'
import { Fault, type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { type Check, store, tenantOf } from '../../../../server/resource/store.ts'
import { type DrawnLayer, layerKinds, mapLayer } from '../contract.ts'
import { cornersOf, type Lines, mostLayers, positionsIn } from '../layers.ts'

type Layer = Row<typeof mapLayer>

/** A person who sees only a part of the company may not change its company-wide layers. */
export const assertMayWrite = (actor: Actor, project: unknown) => {
  if (!project && actor.projects !== 'all') throw new Fault('moreRights')
}

const edges = ['West', 'North', 'East', 'South'] as const
const required = (names: readonly string[], of: Partial<Layer>): FieldFault[] =>
  names.flatMap((field) => {
    const value = of[field as keyof Layer]
    const isMissing = value === null || value === undefined || (Array.isArray(value) && !value.length)
    return isMissing ? [{ field, rule: 'required' }] : []
  })

/** Checks that lines are present, or an image and four edges with an area. */
const checkLayer: Check<typeof mapLayer> = async (db, actor, given, held) => {
  assertMayWrite(actor, held ? held.ProjectId : given.ProjectId)
  const of = { ...held, ...given } as Partial<Layer>
  const faults = of.Kind === layerKinds.plan ? required(['Plan', ...edges], of) : required(['Lines'], of)
  if (faults.length) throw new FieldFaults(faults)
  if (of.Kind === layerKinds.plan) {
    if (of.East! <= of.West!) throw new FieldFaults([{ field: 'East', rule: 'mapLayer.east' }])
    if (of.North! <= of.South!) throw new FieldFaults([{ field: 'North', rule: 'mapLayer.north' }])
  } else if (positionsIn(of.Lines as Lines) > mostLayers.positions)
    throw new FieldFaults([{ field: 'Lines', rule: 'mapLayer.positions', values: { max: mostLayers.positions } }])
  if (held) return given
  const company = await tenantOf(db, actor, mapLayer, given)
  await db.rows(sql`select pg_advisory_xact_lock(${tenantLocks.mapLayers}, ${company}::int)`)
  const [row] = await db.rows<{ n: number }>(sql`select count(*)::int as n from map_layer where "EnterpriseId" = ${company}`)
  if (row!.n >= mostLayers.ofCompany)
    throw new FieldFaults([{ field: 'LayerName', rule: 'mapLayer.most', values: { max: mostLayers.ofCompany } }])
  return given
}
export const layers = store(mapLayer, checkLayer)

/** Signs the URL of a stored plan for its viewer. */
type AddressOf = (path: string) => Promise<string>
/** The layers visible to the actor, as maps draw them. With a project: without those of other projects. */
export const drawnLayers = async (db: Db, actor: Actor, addressOf: AddressOf, project?: number): Promise<DrawnLayer[]> => {
  // A map shows all layers of a company; they are few.
  const all = { ...readListing({ PageSize: 1000, EnterpriseId: actor.EnterpriseId }), passing: true }
  const { Items } = await layers.list(db, actor, all)
  const shown = project === undefined ? Items : Items.filter(({ ProjectId }) => !ProjectId || ProjectId === project)
  return Promise.all(
    shown.map(async ({ Id, LayerName, IsShown, Lines, Plan, West, North, East, South, Turn }) => {
      const plan = (Plan as Attachment[] | null)?.[0]
      const isPlaced = West !== null && North !== null && East !== null && South !== null
      return {
        ...{ Id, LayerName, IsShown, Lines: Lines ?? null },
        Url: plan ? await addressOf(plan.FilePath) : null,
        Corners: plan && isPlaced ? cornersOf({ West, North, East, South, Turn }) : null,
      }
    }),
  )
}
