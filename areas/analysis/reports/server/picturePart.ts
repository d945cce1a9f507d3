import { pathText } from '../../../../contract/picture/drawing.ts'
import { mostPicturePoints, type Scene } from '../../../../contract/picture/scene.ts'
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

/** Maximum items, elements (about) and points of a picture on a page, and maximum characters of its SVG. */
const most = { items: 1500, elements: 60_000, characters: 1_500_000 }

/** About how many elements a scene draws, before it is drawn. */
const elementsOf = ({ items, symbols = [] }: Scene): number => {
  const own = new Map(symbols.map(({ id, drawing: { parts } }) => [id, parts.length + pathText(parts) / 100]))
  // A binding may change the symbol.
  const largest = Math.max(20, ...own.values())
  return items.reduce((sum, item) => {
    if (item.kind === 'symbol') return sum + (item.bind?.length ? largest : (own.get(item.symbol) ?? 20))
    if (item.kind === 'trend') return sum + 240 * item.reads.length
    return sum + (item.kind === 'table' ? 4 * item.reads.length : item.kind === 'indicator' ? 60 : 4)
  }, 0)
}

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
  const { scene, points } = picture
  if (scene.items.length > most.items || points.length > mostPicturePoints || elementsOf(scene) > most.elements)
    return without('report.pictureTooLarge')
  const at = Math.min(making.span.end, making.now)
  await ownTurn()
  const Drawn = await drawnAt({ db, actor, store, query, language, zone, at, stamp: momentText(at, zone) }, picture)
  const Size = svgText(Drawn).length
  if (Size > most.characters) return without('report.pictureTooLarge')
  return { Is: 'picture', Title, Drawn, Size, Width: Number(Drawn.attributes.width), Height: Number(Drawn.attributes.height) }
}
