import { type PointerEvent as ReactPointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { language, useWords } from '../../../../../console/words/words.ts'
import { portsOf } from '../../../../../contract/picture/route.ts'
import type { Scene } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { brushFor, routesFor } from '../../brush.ts'
import { bendsOf } from './bends.ts'
import { boundsOf } from './changes.ts'
import { EditPicture } from './editPicture.ts'
import { begin, type Handle, type Hint, type Place } from './gestures.ts'
import { isFree } from './layers.ts'
import type { Editor } from './useEditor.ts'

const handles: readonly (readonly [Handle, number, number])[] = [
  ...([
    ['nw', 0, 0],
    ['n', 0.5, 0],
    ['ne', 1, 0],
    ['e', 1, 0.5],
  ] as const),
  ...([
    ['se', 1, 1],
    ['s', 0.5, 1],
    ['sw', 0, 1],
    ['w', 0, 0.5],
  ] as const),
]

type Props = {
  editor: Editor
  symbols: ReadonlyMap<string, PictureSymbol>
  pictures: ReadonlyMap<number, string>
  zoom: number
  drop: (at: Place, data: DataTransfer) => void
}
type ChosenProps = Pick<Props, 'editor' | 'symbols'> & { scene: Scene; unit: number }
/** Selection box with handles; for a pipe, its corners. */
const Chosen = ({ editor, scene, symbols, unit }: ChosenProps) => {
  const box = useMemo(() => boundsOf(scene, editor.selected, symbols), [scene, editor.selected, symbols])
  const [only] = editor.selected.size === 1 ? scene.items.filter(({ id }) => editor.selected.has(id)) : []
  const pipe = only?.kind === 'pipe' && !only.locked ? only : undefined
  const bends = useMemo(() => (pipe ? bendsOf(routesFor(scene, symbols).of(pipe).way) : []), [pipe, scene, symbols])
  if (!box) return null
  return (
    <>
      {!pipe && <rect className="edit-box" strokeWidth={unit} x={box.x} y={box.y} width={box.w} height={box.h} />}
      {!pipe &&
        handles.map(([name, x, y]) => (
          <rect
            key={name}
            className={`edit-handle edit-${name}`}
            data-handle={name}
            x={box.x + box.w * x - 4 * unit}
            y={box.y + box.h * y - 4 * unit}
            width={8 * unit}
            height={8 * unit}
            strokeWidth={unit}
          />
        ))}
      {bends.map(({ bend, at: [x, y] }) => (
        <circle
          key={`${bend.kind} ${bend.at}`}
          className={`edit-bend edit-bend-${bend.kind}`}
          data-bend={JSON.stringify(bend)}
          cx={x}
          cy={y}
          r={(bend.kind === 'corner' ? 5 : 4) * unit}
          strokeWidth={unit}
        />
      ))}
    </>
  )
}

/** Drawing area: the picture, overlaid with selection, guides and ports. */
export const EditCanvas = ({ editor, symbols, pictures, zoom, drop }: Props) => {
  const t = useWords()
  const sheet = useRef<HTMLDivElement>(null)
  const [picture] = useState(() => new EditPicture())
  const [hint, setHint] = useState<Hint>()
  const scene = hint?.moved ?? editor.scene
  // Redraws when names and symbols arrive.
  const palette = useMemo(() => ({ symbols, pictures }), [symbols, pictures])
  useEffect(() => {
    const brush = { ...brushFor(scene, symbols, language()), called: (id: number) => pictures.get(id) }
    if (picture.show(scene, brush, palette) || !sheet.current?.contains(picture.svg)) sheet.current?.replaceChildren(picture.svg)
  }, [picture, scene, symbols, pictures, palette])
  const unit = 1 / zoom
  const placeOf = (event: { clientX: number; clientY: number }): Place => {
    const { left, top } = sheet.current!.getBoundingClientRect()
    return [(event.clientX - left) / zoom, (event.clientY - top) / zoom]
  }
  const gesture = useRef<ReturnType<typeof begin>>(undefined)
  const onDown = (event: ReactPointerEvent) => {
    if (event.button !== 0) return
    gesture.current = begin({ editor, symbols, placeOf, unit, hint: setHint }, event.nativeEvent)
    if (gesture.current) (event.currentTarget as Element).setPointerCapture(event.pointerId)
  }
  const onMove = (event: ReactPointerEvent) => gesture.current?.move(placeOf(event), event.nativeEvent)
  const onUp = (event: ReactPointerEvent) => {
    gesture.current?.up(placeOf(event))
    gesture.current = undefined
  }
  const ports = useMemo(
    () =>
      scene.items.length > 500
        ? []
        : scene.items.flatMap((item) =>
            isFree(scene, item.id) && (item.kind === 'symbol' || editor.selected.has(item.id))
              ? portsOf(item, item.kind === 'symbol' ? symbols.get(item.symbol) : undefined)
              : [],
          ),
    [scene, symbols, editor.selected],
  )
  return (
    <section
      className="edit-sheet"
      aria-label={t('edit.sheet')}
      style={{ width: scene.width * zoom, height: scene.height * zoom }}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={onUp}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        drop(placeOf(event), event.dataTransfer)
      }}
    >
      <div ref={sheet} className="picture edit-picture" />
      <svg className="edit-over" viewBox={`0 0 ${scene.width} ${scene.height}`} aria-hidden>
        {ports.map(({ at: [x, y] }) => (
          <circle key={`${x} ${y}`} className="edit-port" data-port cx={x} cy={y} r={4 * unit} strokeWidth={unit} />
        ))}
        {hint?.guides?.map(({ axis, at, from, to }) => (
          <path
            key={`${axis}${at}`}
            className="edit-guide"
            strokeWidth={unit}
            d={axis === 'x' ? `M${at} ${from}V${to}` : `M${from} ${at}H${to}`}
          />
        ))}
        {hint?.marquee && (
          <rect
            className="edit-marquee"
            strokeWidth={unit}
            x={hint.marquee.x}
            y={hint.marquee.y}
            width={hint.marquee.w}
            height={hint.marquee.h}
          />
        )}
        {hint?.line && <path className="edit-guide" strokeWidth={2 * unit} d={`M${hint.line[0].join(' ')}L${hint.line[1].join(' ')}`} />}
        <Chosen editor={editor} scene={scene} symbols={symbols} unit={unit} />
      </svg>
    </section>
  )
}
