import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import {
  byteOrders,
  longestHex,
  mostFields,
  mostFrameBytes,
  type NumberForm,
  type Request,
  type ValueField,
  valueTypes,
  widthOf,
} from '../../../../contract/described/description.ts'
import { ChoiceField, type FormProps, NumberField, TextField, withValue } from './parts.tsx'

type Change<T> = (next: T) => void
type Numbered = Pick<FormProps, 'faults' | 'disabled'> & { at: string; prefix: string }

/** Name, type and scale of a number, read or written. */
const NumberForms = <T extends NumberForm & { Key: string }>({
  of,
  change,
  isWrite,
  at,
  prefix,
  faults,
  disabled,
}: Numbered & { of: T; change: Change<T>; isWrite: boolean }) => {
  const t = useWords()
  const common = (name: string) => {
    const label = t(`selfParse.${name}`)
    return { label, name: `${prefix}: ${label}`, at: `${at}.${name}`, faults, disabled }
  }
  const types = valueTypes.filter((type) => !isWrite || type !== 'bit')
  return (
    <>
      <TextField {...common('Key')} value={of.Key} max={50} example="flow" change={(Key) => change({ ...of, Key })} />
      <ChoiceField
        {...common('Type')}
        value={of.Type}
        options={types.map((value) => ({ value, label: t(`selfParse.type.${value}`) }))}
        change={(Type) => change({ ...of, Type })}
      />
      {of.Type === 'bcd' && (
        <NumberField
          {...common('Bytes')}
          {...{ min: 1, max: 7 }}
          example="1"
          value={of.Bytes}
          change={(Bytes) => change(withValue(of, 'Bytes', Bytes))}
        />
      )}
      {widthOf(of) > 1 && (
        <ChoiceField
          {...common('Order')}
          value={of.Order ?? 'ABCD'}
          options={byteOrders.map((value) => ({ value, label: value }))}
          change={(Order) => change({ ...of, Order })}
        />
      )}
      {of.Type !== 'bit' && (
        <>
          <NumberField
            {...common('Scale')}
            {...{ min: -1e12, max: 1e12 }}
            whole={false}
            example="1"
            value={of.Scale}
            change={(Scale) => change(withValue(of, 'Scale', Scale || undefined))}
          />
          <NumberField
            {...common('Offset')}
            {...{ min: -1e12, max: 1e12 }}
            whole={false}
            example="0"
            value={of.Offset}
            change={(Offset) => change(withValue(of, 'Offset', Offset))}
          />
        </>
      )}
    </>
  )
}

const Field = ({ of, change, remove, ...rest }: Numbered & { of: ValueField; change: Change<ValueField>; remove: () => void }) => {
  const t = useWords()
  const { prefix, at, faults, disabled } = rest
  const common = (name: string) => {
    const label = t(`selfParse.${name}`)
    return { label, name: `${prefix}: ${label}`, at: `${at}.${name}`, faults, disabled }
  }
  return (
    <li className="frame-fields frame-value">
      <NumberForms<ValueField> of={of} change={change} isWrite={false} {...rest} />
      <NumberField
        {...common('At')}
        {...{ min: 0, max: mostFrameBytes - 1 }}
        value={of.At}
        change={(At) => change({ ...of, At: At ?? 0 })}
      />
      {of.Type === 'bit' && (
        <NumberField
          {...common('Bit')}
          {...{ min: 0, max: 7 }}
          example="0"
          value={of.Bit}
          change={(Bit) => change(withValue(of, 'Bit', Bit))}
        />
      )}
      {!disabled && (
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={t('selfParse.removeField', { name: of.Key || prefix })}
          onClick={remove}
        />
      )}
    </li>
  )
}

/** One request: its bytes, the start of its answer, and the positions of values. */
export const RequestFields = ({
  of,
  number,
  change,
  remove,
  faults,
  disabled,
}: Pick<FormProps, 'faults' | 'disabled'> & { of: Request; number: number; change: Change<Request>; remove: (() => void) | undefined }) => {
  const t = useWords()
  const at = `Requests.${number - 1}`
  const label = {
    Send: of.Listen ? 'selfParse.acknowledge' : 'selfParse.Send',
    Answer: of.Listen ? 'selfParse.begins' : 'selfParse.Answer',
  } as const
  const text = (name: 'Send' | 'Answer', example: string) => (
    <TextField
      label={t(label[name])}
      name={`${number}: ${t(label[name])}`}
      {...{ at: `${at}.${name}`, faults, disabled, example }}
      wide
      max={longestHex}
      value={of[name]}
      change={(text) => change({ ...of, [name]: text })}
    />
  )
  const setFields = (Fields: ValueField[]) => change({ ...of, Fields })
  const add = () => {
    const last = of.Fields.at(-1)
    setFields([
      ...of.Fields,
      { Key: `value_${number}_${of.Fields.length + 1}`, Type: last?.Type ?? 'u16', At: last ? last.At + widthOf(last) : 0 },
    ])
  }
  return (
    <li className="frame-request">
      <h3>
        {t(of.Write ? 'selfParse.writeRequest' : of.Listen ? 'selfParse.listenRequest' : 'selfParse.readRequest', { number })}
        {remove && !disabled && (
          <Button type="text" icon={<DeleteOutlined />} aria-label={t('selfParse.removeRequest', { number })} onClick={remove} />
        )}
      </h3>
      {!of.Write && (
        <Checkbox
          checked={of.Listen === true}
          disabled={disabled}
          onChange={(e) => change(withValue(of, 'Listen', e.target.checked || undefined))}
        >
          {t('selfParse.Listen')}
        </Checkbox>
      )}
      {text('Send', of.Write ? '{addr} 06 00 10 {value} {crc}' : '{addr} 03 00 00 00 02 {crc}')}
      {text('Answer', '{addr} 03 04 xx xx xx xx {crc}')}
      {of.Write ? (
        <div className="frame-fields">
          <NumberForms
            of={of.Write}
            change={(Write) => change({ ...of, Write })}
            isWrite
            {...{ at: `${at}.Write`, prefix: `${number}`, faults, disabled }}
          />
        </div>
      ) : (
        <>
          <ol className="frame-list">
            {of.Fields.map((field, i) => (
              <Field
                // Fields have no Id to serve as a key.
                key={`${of.Fields.length} ${i}`}
                {...{ of: field, faults, disabled, at: `${at}.Fields.${i}`, prefix: `${number}.${i + 1}` }}
                change={(next) => setFields(of.Fields.with(i, next))}
                remove={() => setFields(of.Fields.toSpliced(i, 1))}
              />
            ))}
          </ol>
          {faults.some(({ field }) => field === `${at}.Fields`) && (
            <span className="frame-fault" role="alert">
              {t('selfParse.noFields')}
            </span>
          )}
          {!disabled && (
            <Button size="small" icon={<PlusOutlined />} disabled={of.Fields.length >= mostFields} onClick={add}>
              {t('selfParse.addField')}
            </Button>
          )}
        </>
      )}
    </li>
  )
}
