import { useWords } from '../../../../console/words/words.ts'
import { type Frame, framings, mostFrameBytes } from '../../../../contract/described/description.ts'
import { checksumBytes, checksums } from '../../../../contract/parsing/checksum.ts'
import { ChoiceField, type FormProps, NumberField, TextField, withValue } from './parts.tsx'

type Numbers = 'SilenceMs' | 'Length' | 'LengthAt' | 'LengthAdd' | 'ChecksumFrom' | 'ChecksumAfter'
const ranges: Record<Numbers, readonly [low: number, high: number, usual: number | undefined]> = {
  ...{ SilenceMs: [5, 1000, 50], Length: [1, mostFrameBytes, undefined], LengthAt: [0, 255, undefined] },
  ...{ LengthAdd: [-255, mostFrameBytes, 0], ChecksumFrom: [0, 255, 0], ChecksumAfter: [0, 16, 0] },
}

/** Start, end and checksum of frames. Shows only the fields that the kind of frame uses. */
export const FrameFields = ({ draft, set, faults, disabled }: FormProps) => {
  const t = useWords()
  const { Frame } = draft
  const put = <K extends keyof Frame>(name: K, value: Frame[K] | undefined) => set({ ...draft, Frame: withValue(Frame, name, value) })
  const common = (name: keyof Frame) => {
    const label = t(`selfParse.${name}`)
    return { label, name: label, at: `Frame.${name}`, faults, disabled }
  }
  const number = (name: Numbers) => {
    const [min, max, usual] = ranges[name]
    const example = usual === undefined ? {} : { example: String(usual) }
    return <NumberField {...common(name)} {...{ min, max }} {...example} value={Frame[name]} change={(value) => put(name, value)} />
  }
  const marker = (name: 'Start' | 'End', example: string) => (
    <TextField {...common(name)} value={Frame[name]} max={47} example={example} change={(text) => put(name, text)} />
  )
  const order = (name: 'LengthOrder' | 'ChecksumOrder', usual: 'high' | 'low') => (
    <ChoiceField
      {...common(name)}
      value={Frame[name] ?? usual}
      options={(['high', 'low'] as const).map((value) => ({ value, label: t(`selfParse.order.${value}`) }))}
      change={(value) => put(name, value)}
    />
  )
  return (
    <div className="frame-fields">
      <ChoiceField
        {...common('By')}
        value={Frame.By}
        options={framings.map((value) => ({ value, label: t(`selfParse.by.${value}`) }))}
        change={(By) => set({ ...draft, Frame: { ...Frame, By } })}
      />
      {Frame.By === 'silence' && number('SilenceMs')}
      {Frame.By === 'length' && number('Length')}
      {Frame.By !== 'silence' && marker('Start', 'AA 55')}
      {Frame.By === 'delimiter' && marker('End', '0D 0A')}
      {Frame.By === 'lengthField' && (
        <>
          {number('LengthAt')}
          <ChoiceField
            {...common('LengthBytes')}
            value={Frame.LengthBytes ?? 1}
            options={([1, 2] as const).map((value) => ({ value, label: String(value) }))}
            change={(value) => put('LengthBytes', value)}
          />
          {Frame.LengthBytes === 2 && order('LengthOrder', 'high')}
          {number('LengthAdd')}
        </>
      )}
      <ChoiceField
        {...common('Checksum')}
        value={Frame.Checksum ?? ''}
        options={[
          { value: '' as const, label: t('selfParse.checksum.none') },
          ...checksums.map((value) => ({ value, label: t(`selfParse.checksum.${value}`) })),
        ]}
        change={(value) => put('Checksum', value || undefined)}
      />
      {Frame.Checksum && (
        <>
          {number('ChecksumFrom')}
          {number('ChecksumAfter')}
          {checksumBytes[Frame.Checksum] > 1 && order('ChecksumOrder', 'low')}
        </>
      )}
    </div>
  )
}
