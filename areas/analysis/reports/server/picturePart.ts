import { svgText } from '../../../../contract/picture/tree.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { viewing } from '../../../pictures/flowcharts/contract.ts'
import { drawnAt, type StillPicture, stillPicture } from '../../../pictures/flowcharts/server/service.ts'
import type { Block, Part } from '../blocks.ts'
import { momentText } from '../text.ts'
import type { Making } from './making.ts'

/** Maximum items of a picture on a page, and maximum characters of its SVG. */
const most = { items: 1500, characters: 1_500_000 }

/** Undefined where the actor does not see the picture, or it is not published. */
const find = async (db: Db, actor: Actor, block: Block, language: Making['language']): Promise<StillPicture | undefined> => {
  if (!actor.may.has(viewing) || !block.Flowchart) return undefined
  return stillPicture(db, actor, block.Flowchart, language).catch((error) => {
    if (error instanceof Fault && error.key === 'notFound') return undefined
    throw error
  })
}

/** Points that the report's owner sees in its pictures. */
export const pointsInPictures = async (db: Db, actor: Actor, blocks: readonly Block[], language: Making['language']) => {
  const ids = new Set<number>()
  for (const block of blocks)
    if (block.Type === 'picture') for (const { ParaId } of (await find(db, actor, block, language))?.points ?? []) ids.add(ParaId)
  return [...ids]
}

/** A picture of the plant at the end of the period, or now if the period is still running. */
export const picturePart = async (making: Making, block: Block): Promise<Part> => {
  const { db, actor, language, zone, store, query } = making
  const picture = await find(db, actor, block, language)
  const Title = block.Title || picture?.name || word(language, 'report.block.picture')
  const without = (reason: string): Part => ({ Is: 'text', Title, Text: word(language, reason) })
  if (!picture) return without('report.pictureGone')
  if (picture.scene.items.length > most.items) return without('report.pictureTooLarge')
  const at = Math.min(making.span.end, making.now)
  await ownTurn()
  const Drawn = await drawnAt({ db, actor, store, query, language, zone, at, stamp: momentText(at, zone) }, picture)
  if (svgText(Drawn).length > most.characters) return without('report.pictureTooLarge')
  return { Is: 'picture', Title, Drawn, Width: Number(Drawn.attributes.width), Height: Number(Drawn.attributes.height) }
}
