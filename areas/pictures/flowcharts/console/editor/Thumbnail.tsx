import { useEffect, useRef } from 'react'
import { language } from '../../../../../console/words/words.ts'
import type { Look } from '../../../../../contract/picture/look.ts'
import { paintItem } from '../../../../../contract/picture/paint.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { brushFor } from '../../brush.ts'
import { build } from '../engine/dom.ts'
import { symbolItem } from './basics.ts'

const plain: Look = {}
/** A symbol in its default look, or with values applied. */
export const Thumbnail = ({ symbol, look = plain, name = 'edit-thumbnail' }: { symbol: PictureSymbol; look?: Look; name?: string }) => {
  const box = useRef<SVGSVGElement>(null)
  useEffect(() => {
    const item = { ...symbolItem(symbol), id: 'thumbnail', x: 0, y: 0, w: symbol.width, h: symbol.height } as never
    const brush = brushFor({ items: [item] }, new Map([[symbol.id, symbol]]), language())
    box.current?.replaceChildren(build(paintItem(item, look, brush)))
  }, [symbol, look])
  return <svg ref={box} className={name} viewBox={`-2 -2 ${symbol.width + 4} ${symbol.height + 4}`} aria-hidden />
}
