import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { useWords } from '../../../../../console/words/words.ts'
import { type Binding, type Driven, driven, type Item } from '../../../../../contract/picture/scene.ts'
import { idOf } from '../../../../../contract/picture/sceneReferences.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { Mapping } from './Mapping.tsx'
import { type Points, Source } from './Source.tsx'

const drivesOf = (item: Item, symbol: PictureSymbol | undefined): readonly Driven[] => {
  const acted: readonly Driven[] = item.acts?.length ? ['enabled'] : []
  const common: readonly Driven[] = [...acted, 'visible', 'opacity', 'rotate', 'scale', 'x', 'y', 'along', 'fill', 'stroke']
  if (item.kind === 'symbol') return [...(symbol?.drives ?? []), 'picture', ...common]
  if (item.kind === 'pipe') return ['flow', 'visible', 'fill', 'stroke']
  if (item.kind === 'view' || item.kind === 'group') return ['visible', 'opacity']
  if (item.kind === 'image') return ['picture', ...common.filter((to) => to !== 'fill' && to !== 'stroke')]
  if (item.kind === 'value') return common.filter((to) => to !== 'stroke')
  if (item.kind !== 'shape' && item.kind !== 'text') return common.filter((to) => to !== 'fill' && to !== 'stroke')
  if (item.kind === 'text') return ['text', ...common]
  return driven.filter((to) => common.includes(to))
}

/** Properties driven by a share: of a vessel, a line, or a speed. */
const scaling: readonly Driven[] = ['level', 'along', 'flow']

type BindingsProps = {
  item: Item
  symbol: PictureSymbol | undefined
  symbols: ReadonlyMap<string, PictureSymbol>
  points: Points
  change: (bind: Binding[] | undefined) => void
}
/** Bindings of an item to values. */
export const Bindings = ({ item, symbol, symbols, points, change }: BindingsProps) => {
  const t = useWords()
  const bind = item.bind ?? []
  const replace = (at: number, next: Binding) => change(bind.map((one, i) => (i === at ? next : one)))
  const free = drivesOf(item, symbol).filter((to) => !bind.some((one) => one.to === to))
  const scaled = (one: Binding) => scaling.includes(one.to) && points.find(({ ParaId }) => ParaId === idOf(one.of))
  return (
    <>
      {bind.map((one, i) => {
        const point = scaled(one)
        return (
          <div key={one.to} className="edit-binding">
            <Source label={t(`edit.drive.${one.to}`)} value={one.of} points={points} change={(of) => replace(i, { ...one, of })} />
            {point && !one.from && point.AxisMax !== null && (
              <Button size="small" onClick={() => replace(i, { ...one, from: [point.AxisMin ?? 0, point.AxisMax!], onto: [0, 1] })}>
                {t('edit.scale', { low: point.AxisMin ?? 0, high: point.AxisMax })}
              </Button>
            )}
            {one.from && <span className="soft">{t('edit.scaled', { low: one.from[0], high: one.from[1] })}</span>}
            <Mapping binding={one} symbols={symbols} isImage={item.kind === 'image'} change={(next) => replace(i, next)} />
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={t('edit.unbind', { what: t(`edit.drive.${one.to}`) })}
              onClick={() => change(bind.length > 1 ? bind.filter((_, at) => at !== i) : undefined)}
            />
          </div>
        )
      })}
      {free.length > 0 && (
        <Select
          aria-label={t('edit.bind')}
          value={null}
          placeholder={
            <>
              <PlusOutlined /> {t('edit.bind')}
            </>
          }
          options={free.map((to) => ({ value: to, label: t(`edit.drive.${to}`) }))}
          onChange={(to: Driven | null) => to && change([...bind, { to, of: '0' }])}
        />
      )}
    </>
  )
}
