// Points on their way from the tree of the plant onto a chart or a list. Ticking them does the same by keyboard.
import { type DragEvent as Dragged, type RefObject, useEffect, useRef } from 'react'
import type { ParaInfo } from '../../../../contract/telemetry.ts'

const kind = 'application/x-penstock-point'

/** What makes a point of the tree draggable. */
export const draggable = (p: ParaInfo) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: Dragged) => {
    dataTransfer.setData(kind, String(p.ParaId))
    dataTransfer.effectAllowed = 'copy'
  },
})

/** The screen or form around an element takes points while `isOpen`: its chart, table or list. */
export const usePointDrop = (within: RefObject<HTMLElement | null>, isOpen: boolean, add: (id: number) => void) => {
  const latest = useRef(add)
  useEffect(() => {
    latest.current = add
  }, [add])
  useEffect(() => {
    const target = isOpen ? within.current?.closest<HTMLElement>('[role=dialog], .pane') : undefined
    if (!target) return
    const listening = new AbortController()
    const on = (name: 'dragover' | 'dragleave' | 'drop', hear: (event: DragEvent) => void) =>
      target.addEventListener(name, hear, { signal: listening.signal })
    on('dragover', (event) => {
      if (!event.dataTransfer?.types.includes(kind)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      target.classList.add('point-drop')
    })
    on('dragleave', ({ relatedTarget }) => {
      if (!target.contains(relatedTarget as Node | null)) target.classList.remove('point-drop')
    })
    on('drop', (event) => {
      target.classList.remove('point-drop')
      const id = Number(event.dataTransfer?.getData(kind))
      if (!id) return
      event.preventDefault()
      latest.current(id)
    })
    return () => {
      target.classList.remove('point-drop')
      listening.abort()
    }
  }, [isOpen, within])
}
