// Published process pictures in boards, for users who may see pictures.
import type { Language } from '../../../../contract/languages.ts'
import { actedOn } from '../../../../contract/picture/scene.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { viewing } from '../../flowcharts/contract.ts'
import { composedWith, innerOf, pointsOf, shownScene } from '../../flowcharts/server/service.ts'
import { type BoardData, most } from '../contract.ts'
import { type Board, namedIn } from './named.ts'

type Reading = { db: Db; actor: Actor; language: Language; telemetry: Pick<Telemetry, 'latest'> }
type Picture = BoardData['Pictures'][number]

const nothing = (error: unknown) => {
  if (error instanceof Fault && error.key === 'notFound') return undefined
  throw error
}

/** The pictures of a board, without their buttons. Open device parameters take each selected device in turn. */
export const readPictures = async ({ db, actor, language, telemetry }: Reading, board: Board, devices: readonly number[]) => {
  const found: Picture[] = []
  if (!actor.may.has(viewing)) return found
  for (const id of namedIn(board.Content).flowchart.slice(0, most.pictures)) {
    const one = await shownScene(db, actor, id).catch(nothing)
    if (!one || one.row.EnterpriseId !== board.EnterpriseId) continue
    const { row, scene, version } = one
    const open = (scene.parameters ?? []).filter(({ type, value }) => type === 'device' && !value)
    const Shown: Picture['Shown'] = []
    // Nested pictures do not depend on parameters.
    const inside = await innerOf(db, actor, row, scene)
    for (const DeviceId of open.length && devices.length ? devices : [null]) {
      const given = DeviceId ? Object.fromEntries(open.map(({ name }) => [name, DeviceId])) : {}
      const composed = composedWith(inside, scene, given)
      const points = await pointsOf(db, actor, telemetry.latest, { scene: composed.scene, owner: row, given: {}, language })
      Shown.push({ DeviceId, Given: given, ...points })
      await ownTurn()
    }
    const still = (of: typeof scene) => actedOn(of, () => false)
    const Inside = inside.map((one) => ({ ...one, Scene: still(one.Scene) }))
    found.push({ Id: id, FlowchartName: row.FlowchartName, Version: version, Scene: still(scene), Inside, Shown })
  }
  return found
}
