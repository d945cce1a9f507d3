import { useEffect } from 'react'
import { phoneWidth } from '../theme/useWidth.ts'

const layer = '.ant-modal, .ant-drawer'
/** Elements that the component focuses when it opens: itself or its Close button. */
const opening = '.ant-modal, .ant-drawer, .ant-modal-close, .ant-drawer-close'
/** By preference: a form field, any field of the dialog, its main button unless it is destructive. */
const fields = ['input:not([type=hidden], [type=file])', 'textarea', '[contenteditable=true]']
const wanted = [
  ...['.ant-form', '[data-form]', '.ant-modal-body'].map((part) => fields.map((field) => `${part} ${field}`).join(', ')),
  '.ant-modal-body .ant-upload [role=button]',
  '.ant-modal-footer .ant-btn-primary:not(.ant-btn-dangerous)',
]
/** The selected button of a radio group. */
const chosenOf = (field: HTMLElement) =>
  field instanceof HTMLInputElement && field.type === 'radio'
    ? (document.querySelector<HTMLElement>(`input[type=radio][name="${field.name}"]:checked`) ?? field)
    : field
const canFocus = (element: Element) => element.checkVisibility() && !element.matches(':disabled, [readonly]')

/** Focuses the first field of a dialog, or its main button, instead of Close. On a phone, a field would open the keyboard. */
export const useDialogFocus = () =>
  useEffect(() => {
    /** Time at which each dialog took the focus. After the first key or click, only the user moves it. */
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
