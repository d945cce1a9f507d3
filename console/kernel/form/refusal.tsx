import { Alert, Button, Form, type FormInstance } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { AddCompany } from '../../session/CompanyChoice.tsx'
import type { Fault } from '../../session/request.ts'
import { useWords } from '../../words/words.ts'

/** Markers of a faulty field: antd form item, input with error status, or error text beside an input. */
const marks = '.ant-form-item-has-error, [class*="-status-error"]'
const texts = '[data-fault]'
const inputs = ':is(input:not([type=hidden]), textarea, [contenteditable=true], button, [tabindex]):not(:disabled)'
/** Error marks change one by one. Counts them after this pause, ms. */
const quiet = 50
type Faulty = { input: HTMLElement; name: string }

const nameOf = (mark: Element, input: Element) => {
  const label = mark.querySelector('.ant-form-item-label label') ?? (input as HTMLInputElement).labels?.[0]
  return (label?.firstChild?.textContent ?? input.getAttribute('aria-label') ?? '').trim()
}
const faultyIn = (area: Element): Faulty[] =>
  [...area.querySelectorAll(`${marks}, ${texts}`)].flatMap((found) => {
    const mark = found.matches(texts) ? found.parentElement! : found
    const input = mark.matches(inputs) ? mark : mark.querySelector(inputs)
    const isMarked = mark === found ? mark.parentElement?.closest(marks) : mark.querySelector(marks)
    return !input || isMarked ? [] : [{ input: input as HTMLElement, name: nameOf(mark, input) }]
  })
const go = ({ input }: Faulty) => {
  input.scrollIntoView({ block: 'center' })
  input.focus({ preventScroll: true })
}

/**
 * Moves to the first faulty field after a failed save, refused by the form (`look`) or by the server (`fault`).
 * `summary` links to every faulty field and goes first in the form. `count` goes beside the Save button.
 */
type Refusal = {
  fault: Fault | null
  /** Errors of fields that this form does not show, listed below the links. */
  elsewhere?: ReactNode
  note?: string
  /** Whether the form shows each server error at its field. */
  isAllHere: boolean
}
export const useRefusal = ({ fault, elsewhere, note, isAllHere }: Refusal) => {
  const t = useWords()
  const top = useRef<HTMLDivElement>(null)
  const [refusals, setRefusals] = useState(0)
  const [faulty, setFaulty] = useState<Faulty[]>([])
  const look = () => setRefusals((n) => n + 1)
  useEffect(() => {
    if (fault) setRefusals((n) => n + 1)
  }, [fault])
  useEffect(() => {
    const area = top.current?.parentElement
    if (!refusals || !area) return
    let isFresh = true
    let timer: ReturnType<typeof setTimeout>
    const count = () => {
      const found = faultyIn(area)
      setFaulty((old) => (old.length === found.length && found.every((f, i) => f.input === old[i]?.input) ? old : found))
      if (isFresh && found[0]) go(found[0])
      isFresh &&= !found[0]
    }
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(count, quiet)
    }
    // Do not move the focus back once the person continues.
    const stay = () => (isFresh = false)
    area.addEventListener('keydown', stay)
    const observer = new MutationObserver(later)
    observer.observe(area, { subtree: true, childList: true, attributeFilter: ['class'] })
    later()
    return () => {
      observer.disconnect()
      clearTimeout(timer)
      area.removeEventListener('keydown', stay)
    }
  }, [refusals])

  const alone = !faulty.length && !note && fault?.details.Fault === 'invalid' && elsewhere
  const title = alone || note || (faulty.length ? t('form.faults', { count: faulty.length }) : isAllHere ? '' : fault?.message)
  const summary = (
    <div ref={top}>
      {title && (
        <Alert
          type="error"
          showIcon
          role="alert"
          className="form-summary"
          title={title}
          description={
            !alone &&
            (faulty.length > 0 || elsewhere) && (
              <>
                {faulty.map((f, at) => (
                  <Button key={at} type="link" size="small" htmlType="button" onClick={() => go(f)}>
                    {f.name}
                  </Button>
                ))}
                {elsewhere}
              </>
            )
          }
        />
      )}
    </div>
  )
  const count = faulty[0] && (
    <Button type="link" danger htmlType="button" className="form-count" onClick={() => go(faulty[0]!)}>
      {t('form.toCorrect', { count: faulty.length })}
    </Button>
  )
  return { look, summary, count }
}

type Options = { note?: string; elsewhere?: ReactNode }
/** The same for antd forms. Shows server errors at their fields until the values change. */
export const useFormRefusal = <V,>(form: FormInstance<V>, fault: Fault | null | undefined, options: Options = {}) => {
  const values = Form.useWatch([], form) as Record<string, unknown> | undefined
  const refused = useRef<Record<string, unknown>>({})
  const named = Object.entries(fault?.details.Fields ?? {})
  const here = (name: string) => Object.hasOwn((form.getFieldsValue() ?? {}) as object, name)
  const others = fault ? named.filter(([name]) => !here(name)).flatMap(([, texts]) => texts) : []
  const mark = (name: string, errors: string[]) => form.setFields([{ name: name as never, errors }])
  useEffect(() => {
    refused.current = { ...(form.getFieldsValue() as object) }
    for (const [name, errors] of Object.entries(fault?.details.Fields ?? {})) form.setFields([{ name: name as never, errors }])
  }, [form, fault])
  useEffect(() => {
    for (const [name, errors] of named)
      if (values && values[name] !== refused.current[name] && String(form.getFieldError(name as never)) === String(errors)) mark(name, [])
  })
  const elsewhere =
    options.elsewhere ??
    (others.length > 0 && (
      <>
        {others.join(' ')} {fault?.details.Fields?.EnterpriseId && <AddCompany />}
      </>
    ))
  return useRefusal({ fault: fault ?? null, elsewhere, note: options.note ?? '', isAllHere: named.length > 0 && !others.length })
}
