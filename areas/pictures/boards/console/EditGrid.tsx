import { DeleteOutlined, DragOutlined, SettingOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { columns, type Widget as Of } from '../contract.ts'
import { placeOf } from './BoardGrid.tsx'
import { type Arrow, arranged, gap, heightOf, inOrder, put, rowHeight, stepped, steps } from './grid.ts'
import { Widget } from './Widget.tsx'

type Props = {
  widgets: readonly Of[]
  chosen: string | undefined
  choose: (id: string | undefined) => void
  change: (widgets: readonly Of[]) => void
}

/** Dragging: previews the result, and applies it when the pointer is released. */
const useDrag = ({ widgets, change }: Pick<Props, 'widgets' | 'change'>) => {
  const grid = useRef<HTMLDivElement>(null)
  const [draft, setDraft] = useState<readonly Of[]>()
  const drag = (event: PointerEvent<HTMLElement>, widget: Of, resize: boolean) => {
    if (event.button !== 0) return
    event.preventDefault()
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const slot = (grid.current!.clientWidth + gap) / columns
    const [x0, y0] = [event.clientX, event.clientY]
    let next: readonly Of[] = widgets
    const move = ({ clientX, clientY }: globalThis.PointerEvent) => {
      const [x, y] = [Math.round((clientX - x0) / slot), Math.round((clientY - y0) / (rowHeight + gap))]
      const place = resize ? { ...widget, W: widget.W + x, H: widget.H + y } : { ...widget, X: widget.X + x, Y: widget.Y + y }
      next = put(widgets, widget.Id, place, !resize && y > 0)
      setDraft(next)
    }
    const end = (happened: Event) => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointerup', end)
      handle.removeEventListener('pointercancel', end)
      setDraft(undefined)
      if (happened.type === 'pointerup') change(next)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end)
    handle.addEventListener('pointercancel', end)
  }

  return { grid, shown: draft ?? widgets, drag }
}

type ToolProps = { name: string; drag: (event: PointerEvent<HTMLElement>) => void; open: () => void; remove: () => void }
const Tools = ({ name, drag, open, remove }: ToolProps) => {
  const t = useWords()
  return (
    <span className="board-tools">
      <button type="button" className="board-drag" tabIndex={-1} aria-label={t('board.move', { name })} onPointerDown={drag}>
        <DragOutlined />
      </button>
      <Button type="text" size="small" icon={<SettingOutlined />} aria-label={t('board.settingsOf', { name })} onClick={open} />
      <Button type="text" size="small" icon={<DeleteOutlined />} aria-label={t('board.removeOf', { name })} onClick={remove} />
    </span>
  )
}

/** Widgets in the editor: drag the head to move and the corner to resize, or use the arrow keys. */
export const EditGrid = ({ widgets, chosen, choose, change }: Props) => {
  const t = useWords()
  const [said, say] = useState('')
  const { grid, shown, drag } = useDrag({ widgets, change })

  const remove = (widget: Of) => {
    choose(undefined)
    change(arranged(widgets.filter((w) => w !== widget)))
  }
  const onKey = (event: KeyboardEvent<HTMLElement>, widget: Of) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Delete') remove(widget)
    else if (event.key === 'Enter') choose(widget.Id)
    else if (event.key in steps) {
      const next = stepped(widgets, widget, event.key as Arrow, event.shiftKey)
      const { X, Y, W, H } = next.find(({ Id }) => Id === widget.Id)!
      say(t('board.placed', { x: X + 1, y: Y + 1, w: W, h: H }))
      change(next)
    } else return
    event.preventDefault()
  }
  const nameOf = (w: Of) => w.Title || t(`board.kind.${w.Kind}`)
  /** Tab moves the focus between widgets; keys move the focused one. */
  const handle = (widget: Of) => ({
    role: 'group',
    tabIndex: 0,
    'aria-label': t('board.widgetOf', { name: nameOf(widget) }),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKey(event, widget),
  })
  return (
    <div ref={grid} className="board board-editing">
      {inOrder(shown).map((widget) => (
        <div key={widget.Id} {...handle(widget)} className={widget.Id === chosen ? 'board-chosen' : undefined} style={placeOf(widget)}>
          <Widget
            widget={widget}
            height={heightOf(widget) - 10}
            tools={
              <Tools
                name={nameOf(widget)}
                drag={(event) => drag(event, widget, false)}
                open={() => choose(widget.Id)}
                remove={() => remove(widget)}
              />
            }
          />
          <button
            type="button"
            className="board-resize"
            tabIndex={-1}
            aria-label={t('board.resize', { name: nameOf(widget) })}
            onPointerDown={(event) => drag(event, widget, true)}
          />
        </div>
      ))}
      <span className="board-said" aria-live="polite">
        {said}
      </span>
    </div>
  )
}
