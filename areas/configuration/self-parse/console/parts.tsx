import { Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import type { Description, DescriptionFault } from '../../../../contract/described/description.ts'

/** Common props of the form's parts. `at` is the path of the field in an error. */
export type FormProps = {
  draft: Description
  set: (next: Description) => void
  faults: readonly DescriptionFault[]
  disabled: boolean
}
type Common = { label: string; at?: string; faults?: readonly DescriptionFault[]; disabled: boolean; wide?: true }

const Labelled = ({ label, at, faults = [], wide, children }: Omit<Common, 'disabled'> & { children: ReactNode }) => {
  const t = useWords()
  const fault = faults.find(({ field }) => field === at)
  return (
    <div className={wide ? 'frame-field frame-wide' : 'frame-field'}>
      <span className="soft">{label}</span>
      {children}
      {fault && (
        <span className="frame-fault" role="alert">
          {t(`fault.field.${fault.rule}`, fault.values)}
        </span>
      )}
    </div>
  )
}

type TextProps = Common & { name: string; value: string | undefined; max: number; change: (text: string) => void; example?: string }
export const TextField = ({ name, value, max, change, disabled, example, ...rest }: TextProps) => (
  <Labelled {...rest}>
    <Input
      className="mono"
      aria-label={name}
      value={value ?? ''}
      maxLength={max}
      disabled={disabled}
      autoComplete="off"
      spellCheck={false}
      status={rest.faults?.some(({ field }) => field === rest.at) ? 'error' : ''}
      onChange={(e) => change(e.target.value)}
      {...(example === undefined ? {} : { placeholder: example })}
    />
  </Labelled>
)

type NumberProps = Common & {
  name: string
  value: number | undefined
  min: number
  max: number
  whole?: boolean
  example?: string
  change: (value: number | undefined) => void
}
export const NumberField = ({ name, value, min, max, whole = true, change, disabled, example, ...rest }: NumberProps) => (
  <Labelled {...rest}>
    <InputNumber
      aria-label={name}
      value={value ?? null}
      min={min}
      max={max}
      disabled={disabled}
      onChange={(next) => change(next ?? undefined)}
      {...(whole ? { precision: 0 } : {})}
      {...(example === undefined ? {} : { placeholder: example })}
    />
  </Labelled>
)

type ChoiceProps<T> = Common & { name: string; value: T; options: { value: T; label: string }[]; change: (value: T) => void }
export const ChoiceField = <T extends string | number>({ name, value, options, change, disabled, ...rest }: ChoiceProps<T>) => (
  <Labelled {...rest}>
    <Select<T> aria-label={name} value={value} options={options} disabled={disabled} onChange={change} popupMatchSelectWidth={false} />
  </Labelled>
)

/** A copy of the object with the value, or without the key if the value is undefined. */
export const withValue = <T extends object, K extends keyof T>(of: T, name: K, value: T[K] | undefined): T => {
  const { [name]: _, ...rest } = of
  return (value === undefined || value === '' ? rest : { ...rest, [name]: value }) as T
}
