import { Collapse, Input } from 'antd'
import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react'
import { language, useWords } from '../../../../../console/words/words.ts'
import { paintItem } from '../../../../../contract/picture/paint.ts'
import { categories, type PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { loadSymbols } from '../../../../../contract/picture/symbols/index.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import { brushFor } from '../engine/brush.ts'
import { build } from '../engine/dom.ts'
import { basics, symbolItem } from './basics.ts'

/** What a drag carries: the key of a basic item, the Id of a symbol, or the Id of a point. */
export type Carried = { basic: string } | { symbol: string } | { point: number }
export const carriedType = 'application/x-penstock-picture'
const carry = (event: DragEvent, what: Carried) => event.dataTransfer.setData(carriedType, JSON.stringify(what))

const Thumbnail = ({ symbol }: { symbol: PictureSymbol }) => {
  const box = useRef<SVGSVGElement>(null)
  useEffect(() => {
    const item = { ...symbolItem(symbol), id: 'thumbnail', x: 0, y: 0, w: symbol.width, h: symbol.height } as never
    const brush = brushFor({ items: [item] }, new Map([[symbol.id, symbol]]), language())
    box.current?.replaceChildren(build(paintItem(item, {}, brush)))
  }, [symbol])
  return <svg ref={box} className="edit-thumbnail" viewBox={`-2 -2 ${symbol.width + 4} ${symbol.height + 4}`} aria-hidden />
}

type Props = { points: readonly ParaInfo[]; add: (what: Carried) => void }
/** Everything that can be drawn: a click adds it in the middle, dragging where one wants it. */
export const Palette = ({ points, add }: Props) => {
  const t = useWords()
  const [search, setSearch] = useState('')
  const [symbols, setSymbols] = useState<readonly PictureSymbol[]>([])
  useEffect(() => {
    loadSymbols(categories.map((category) => `${category}.`)).then((all) => setSymbols([...all.values()]))
  }, [])
  const wanted = search.trim().toLocaleLowerCase()
  const nameOf = (id: string) => t(`symbol.${id}`)
  const matches = (text: string) => !wanted || text.toLocaleLowerCase().includes(wanted)
  const byCategory = Map.groupBy(
    symbols.filter(({ id }) => matches(nameOf(id))),
    ({ id }) => id.split('.')[0]!,
  )
  const entry = (what: Carried, key: string, label: string, picture?: PictureSymbol) => (
    <button
      key={key}
      type="button"
      className="edit-entry"
      draggable
      title={label}
      onDragStart={(event) => carry(event, what)}
      onClick={() => add(what)}
    >
      {picture && <Thumbnail symbol={picture} />}
      <span>{label}</span>
    </button>
  )
  const found = useMemo(
    () => (wanted ? points.filter((p) => `${p.DeviceName} ${p.ParaName}`.toLocaleLowerCase().includes(wanted)) : points).slice(0, 100),
    [points, wanted],
  )
  const groups = [
    {
      key: 'basic',
      label: t('edit.basics'),
      children: (
        <div className="edit-entries">
          {Object.keys(basics)
            .filter((name) => matches(t(`edit.basic.${name}`)))
            .map((name) => entry({ basic: name }, name, t(`edit.basic.${name}`)))}
        </div>
      ),
    },
    {
      key: 'points',
      label: t('edit.points'),
      children: (
        <div className="edit-points">
          {found.map((p) => entry({ point: p.ParaId }, `p${p.ParaId}`, `${p.DeviceName} · ${p.ParaName}`))}
          {!found.length && <p className="soft">{t('edit.noPoints')}</p>}
        </div>
      ),
    },
    ...categories.flatMap((category) => {
      const of = byCategory.get(category)
      return of
        ? [
            {
              key: category,
              label: t(`symbol.category.${category}`),
              children: <div className="edit-entries">{of.map((one) => entry({ symbol: one.id }, one.id, nameOf(one.id), one))}</div>,
            },
          ]
        : []
    }),
  ]
  return (
    <aside className="edit-palette" aria-label={t('edit.palette')}>
      <Input
        allowClear
        placeholder={t('edit.search')}
        aria-label={t('edit.search')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Collapse
        size="small"
        ghost
        {...(wanted ? { activeKey: groups.map(({ key }) => key) } : { defaultActiveKey: ['basic', 'vessel', 'pump'] })}
        items={groups}
      />
    </aside>
  )
}
