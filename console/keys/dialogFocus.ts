import { useEffect } from 'react'
import { phoneWidth } from '../theme/useWidth.ts'

const layer = '.ant-modal, .ant-drawer'
/** What the component focuses when it opens: itself or its Close button. */
const opening = '.ant-modal, .ant-drawer, .ant-modal-close, .ant-drawer-close'
/** In the order of preference: a field of a form, any field of a dialog, its main button where that removes nothing. */
const fields = ['input:not([type=hidden], [type=file])', 'textarea', '[contenteditable=true]']
const wanted = [
  ...['.ant-form', '[data-form]', '.ant-modal-body'].map((part) => fields.map((field) => `${part} ${field}`).join(', ')),
  '.ant-modal-body .ant-upload [role=button]',
  '.ant-modal-footer .ant-btn-primary:not(.ant-btn-dangerous)',
]
/** Of a group of radio buttons, the chosen one. */
const chosenOf = (field: HTMLElement) =>
  field instanceof HTMLInputElement && field.type === 'radio'
    ? (document.querySelector<HTMLElement>(`input[type=radio][name="${field.name}"]:checked`) ?? field)
    : field
const canFocus = (element: Element) => element.checkVisibility() && !element.matches(':disabled, [readonly]')

/** A dialog begins at its first field, or at its main button, and not at Close. On a phone a field would raise the keyboard. */
export const useDialogFocus = () =>
  useEffect(() => {
    /** When each dialog took the focus. The person moves it from the first key or press on. */
    const open = new Map<Element, number>()
    let pressed = 0
    const press = ({ timeStamp }: Event) => {
      pressed = timeStamp
    }
    const begin = ({ target, relatedTarget, timeStamp }: FocusEvent) => {
      for (const dialog of open.keys()) if (!dialog.checkVisibility()) open.delete(dialog)
      const dialog = target instanceof Element ? target.closest(layer) : null
      if (!dialog || innerWidth < phoneWidth) return
      if (!open.has(dialog)) open.set(dialog, timeStamp)
      if (!(target as Element).matches(opening) || pressed > open.get(dialog)!) return
      const itsOwn =
        relatedTarget instanceof HTMLElement && dialog.contains(relatedTarget) && !relatedTarget.matches(opening)
          ? relatedTarget
          : undefined
      const first = itsOwn ?? wanted.flatMap((selector) => [...dialog.querySelectorAll<HTMLElement>(selector)]).find(canFocus)
      if (first) chosenOf(first).focus({ preventScroll: true })
    }
    const presses = ['keydown', 'pointerdown'] as const
    for (const name of presses) addEventListener(name, press, true)
    addEventListener('focusin', begin)
    return () => {
      for (const name of presses) removeEventListener(name, press, true)
      removeEventListener('focusin', begin)
    }
  }, [])
