import { HolderOutlined, PushpinOutlined, TableOutlined, UndoOutlined } from '@ant-design/icons'
import { Button, Checkbox, InputNumber, Popover, Segmented, Tooltip } from 'antd'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { useWords } from '../../words/words.ts'
import { type Arranged, moved, type Preference, toColumns } from './arrange.ts'

type Props = {
  of: Resource
  all: Arranged[]
  rowHeight: number
  change: (part: Partial<Preference> & { reset?: boolean }) => void
}
const heights = [
  [32, 'list.rowSmall'],
  [40, 'list.rowMiddle'],
  [48, 'list.rowLarge'],
] as const

/** Settings of columns (order by drag or arrow keys, visibility, width, freezing) and of row height. */
export const ColumnChooser = ({ of: r, all, rowHeight, change }: Props) => {
  const t = useWords()
  // A drop may come before the drag's state has rendered.
  const dragged = useRef<number>(undefined)
  const [over, setOver] = useState<number>()
  const put = (next: Arranged[]) => change({ Columns: toColumns(next) })
  const set = (Field: string, part: Partial<Arranged>) => put(all.map((c) => (c.Field === Field ? { ...c, ...part } : c)))
  const byKey = (at: number) => (e: KeyboardEvent<HTMLElement>) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[e.key]
    if (to === undefined) return
    e.preventDefault()
    if (to < 0 || to >= all.length) return
    const handle = e.currentTarget
    put(moved(all, at, to))
    // A moved line loses the focus.
    setTimeout(() => handle.focus())
  }
  const letGo = () => {
    setOver(undefined)
    dragged.current = undefined
  }
  const only = all.filter((c) => c.Visible).length === 1
  const content = (
    <div className="columns">
      <ul>
        {all.map((c, at) => {
          const name = t(`${r.name}.${c.Field}`)
          return (
            <li
              key={c.Field}
              data-dragged={over === at || undefined}
              onDragOver={(e) => {
                e.preventDefault()
                setOver(at)
              }}
              onDrop={(e) => {
                e.preventDefault()
                const from = dragged.current
                if (from !== undefined && from !== at) put(moved(all, from, at))
                letGo()
              }}
            >
              <button
                type="button"
                className="columns-handle"
                draggable
                aria-label={t('list.moveColumn', { name })}
                onKeyDown={byKey(at)}
                onDragStart={() => {
                  dragged.current = at
                }}
                onDragEnd={letGo}
              >
                <HolderOutlined />
              </button>
              <Checkbox
                checked={c.Visible === 1}
                disabled={c.Visible === 1 && only}
                onChange={(e) => set(c.Field, { Visible: e.target.checked ? 1 : 0 })}
              >
                {name}
              </Checkbox>
              <InputNumber
                size="small"
                min={40}
                max={1000}
                step={20}
                precision={0}
                value={c.Width}
                placeholder={t('list.widthAuto')}
                aria-label={t('list.width', { name })}
                changeOnWheel={false}
                onChange={(Width) => (Width === null || Width >= 40) && set(c.Field, { Width })}
              />
              <Tooltip title={t('list.freeze')}>
                <Button
                  size="small"
                  type={c.Fixed ? 'primary' : 'text'}
                  icon={<PushpinOutlined />}
                  aria-pressed={c.Fixed !== null}
                  aria-label={t('list.freezeColumn', { name })}
                  onClick={() => set(c.Field, { Fixed: c.Fixed ? null : 'left' })}
                />
              </Tooltip>
            </li>
          )
        })}
      </ul>
      <Segmented
        block
        size="small"
        aria-label={t('list.rowHeight')}
        value={rowHeight}
        onChange={(RowHeight) => change({ RowHeight })}
        options={heights.map(([value, label]) => ({ value, label: t(label) }))}
      />
      <Button size="small" icon={<UndoOutlined />} onClick={() => change({ reset: true })}>
        {t('list.resetColumns')}
      </Button>
    </div>
  )
  return (
    <Popover trigger="click" placement="bottomRight" content={content} title={t('list.columns')}>
      <Button icon={<TableOutlined />} aria-label={t('list.columns')} title={t('list.columns')} />
    </Popover>
  )
}
