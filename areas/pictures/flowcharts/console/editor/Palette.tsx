import { StarFilled, StarOutlined } from '@ant-design/icons'
import { Collapse, Input } from 'antd'
import { type DragEvent, type ReactNode, useMemo, useState } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import { categories, type PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import { basics } from './basics.ts'
import { useFavourites } from './favourites.ts'
import { Thumbnail } from './Thumbnail.tsx'

/** Content of a drag: the key of a basic item, the Id of a symbol, or the Id of a point. */
export type Carried = { basic: string } | { symbol: string } | { point: number }
export const carriedType = 'application/x-penstock-picture'
/** Parses a drop; foreign content adds nothing. */
export const carriedBy = (data: DataTransfer): Carried => JSON.parse(data.getData(carriedType) || '{"basic":""}') as Carried
const carry = (event: DragEvent, what: Carried) => event.dataTransfer.setData(carriedType, JSON.stringify(what))

type EntryProps = {
  what: Carried
  label: string
  picture: PictureSymbol | undefined
  add: (what: Carried) => void
  isFavourite: boolean
  toggle: () => void
}
/** An entry to click or to drag onto the sheet, with a star for favourites. */
const Entry = ({ what, label, picture, add, isFavourite, toggle }: EntryProps) => {
  const t = useWords()
  const star = t('edit.favourite', { name: label })
  return (
    <div className="edit-entry-box">
      <button
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
      <button type="button" className="edit-star" aria-pressed={isFavourite} aria-label={star} title={star} onClick={toggle}>
        {isFavourite ? <StarFilled aria-hidden /> : <StarOutlined aria-hidden />}
      </button>
    </div>
  )
}

type Props = {
  points: readonly ParaInfo[]
  all: ReadonlyMap<string, PictureSymbol>
  add: (what: Carried) => void
  /** Footer of the company's own symbols: hints and actions. */
  ownTools: ReactNode
}
/** All drawable elements: a click adds one in the middle, dragging at the drop position. */
export const Palette = ({ points, all, add, ownTools }: Props) => {
  const t = useWords()
  const [search, setSearch] = useState('')
  const symbols = useMemo(() => [...all.values()], [all])
  const { favourites, toggle } = useFavourites()
  const wanted = search.trim().toLocaleLowerCase()
  const nameOf = (id: string) => all.get(id)?.name ?? t(`symbol.${id}`)
  const matches = (text: string) => !wanted || text.toLocaleLowerCase().includes(wanted)
  const byCategory = Map.groupBy(
    symbols.filter(({ id }) => matches(nameOf(id))),
    ({ id }) => id.split('.')[0]!,
  )
  const entry = (what: Carried, key: string, label: string, picture?: PictureSymbol) => (
    <Entry key={key} {...{ what, label, picture, add }} isFavourite={favourites.includes(key)} toggle={() => toggle(key)} />
  )
  /** A favourite that still exists: a basic item, a symbol, or a point as p and its Id. */
  const favourite = (key: string) => {
    const symbol = symbols.find(({ id }) => id === key)
    const point = points.find(({ ParaId }) => `p${ParaId}` === key)
    const [label, what]: [string, Carried | undefined] = Object.hasOwn(basics, key)
      ? [t(`edit.basic.${key}`), { basic: key }]
      : symbol
        ? [nameOf(key), { symbol: key }]
        : point
          ? [`${point.DeviceName} · ${point.ParaName}`, { point: point.ParaId }]
          : ['', undefined]
    return what && matches(label) ? [entry(what, key, label, symbol)] : []
  }
  const chosen = favourites.flatMap(favourite)
  const found = useMemo(
    () => (wanted ? points.filter((p) => `${p.DeviceName} ${p.ParaName}`.toLocaleLowerCase().includes(wanted)) : points).slice(0, 100),
    [points, wanted],
  )
  const groups = [
    ...(chosen.length ? [{ key: 'favourites', label: t('edit.favourites'), children: <div className="edit-entries">{chosen}</div> }] : []),
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
    {
      key: 'own',
      label: t('many.pictureSymbol_other'),
      children: (
        <>
          <div className="edit-entries">
            {(byCategory.get('own') ?? []).map((one) => entry({ symbol: one.id }, one.id, nameOf(one.id), one))}
          </div>
          {ownTools}
        </>
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
        placeholder={t('edit.search.hint')}
        aria-label={t('edit.search')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Collapse
        size="small"
        ghost
        {...(wanted ? { activeKey: groups.map(({ key }) => key) } : { defaultActiveKey: ['favourites', 'basic', 'vessel', 'pump'] })}
        items={groups}
      />
    </aside>
  )
}
