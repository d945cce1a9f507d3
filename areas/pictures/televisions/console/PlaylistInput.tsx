import './television.css'
import { ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, InputNumber, Select } from 'antd'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { resourceNamed } from '../../../../contract/registry.ts'
import { FixedInput } from '../../shares/console/FixedInput.tsx'
import { type Kind, kindCodes, targetOf } from '../../shares/contract.ts'
import { most, type PlaylistEntry } from '../contract.ts'

const resourceOf = { FlowchartId: 'flowchart', VisualBoardId: 'visualBoard', ProjectId: 'project' } as const
const first: PlaylistEntry = { Kind: 2, Seconds: 30 }

type EntryProps = {
  of: PlaylistEntry
  number: number
  change: (next: PlaylistEntry) => void
  up: (() => void) | undefined
  remove: () => void
}
const Entry = ({ of, number, change, up, remove }: EntryProps) => {
  const t = useWords()
  const target = targetOf[of.Kind as Kind]
  const hour = (name: 'From' | 'To', word: string) => (
    <InputNumber
      aria-label={`${number}: ${t(word)}`}
      placeholder={t(word)}
      min={0}
      max={24}
      precision={0}
      value={of[name] ?? null}
      onChange={(value) => {
        const { [name]: _, ...rest } = of
        change(value === null ? rest : { ...rest, [name]: value })
      }}
    />
  )
  return (
    <li className="playlist-entry">
      <Select
        aria-label={`${number}: ${t('television.kind')}`}
        value={of.Kind}
        options={kindCodes.map((value) => ({ value, label: t(`share.Kind.${value}`) }))}
        onChange={(Kind) => change({ Kind, Seconds: of.Seconds })}
      />
      {target && (
        <RefInput
          aria-label={`${number}: ${t(`share.Kind.${of.Kind}`)}`}
          to={resourceNamed(resourceOf[target])!}
          value={of.Id ?? null}
          {...(of.Kind === 1 && { where: { State: 1 } })}
          onChange={(Id) => {
            const { Id: _, Parameters: _parameters, ...rest } = of
            change(Id ? { ...rest, Id } : rest)
          }}
        />
      )}
      <InputNumber
        aria-label={`${number}: ${t('television.seconds')}`}
        min={5}
        max={most.seconds}
        precision={0}
        value={of.Seconds}
        suffix="s"
        onChange={(Seconds) => change({ ...of, Seconds: Seconds ?? first.Seconds })}
      />
      {hour('From', 'television.from')}
      {hour('To', 'television.to')}
      <div className="playlist-fixed">
        <FixedInput
          id={`playlist-${number}`}
          kind={of.Kind}
          target={of.Id}
          value={of.Parameters}
          onChange={(fixed) => {
            const { Parameters: _, ...rest } = of
            change(fixed ? { ...rest, Parameters: fixed } : rest)
          }}
        />
      </div>
      <span className="playlist-buttons">
        <Button icon={<ArrowUpOutlined />} disabled={!up} aria-label={t('television.upEntry', { number })} onClick={up} />
        <Button icon={<DeleteOutlined />} aria-label={t('television.removeEntry', { number })} onClick={remove} />
      </span>
    </li>
  )
}

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
/** The playlist of a television, in order. */
export const PlaylistInput = ({ id, value, onChange }: Props) => {
  const t = useWords()
  const entries = (value as PlaylistEntry[] | null) ?? []
  const set = (next: readonly PlaylistEntry[]) => onChange?.(next)
  const swap = (at: number) => entries.map((entry, i) => (i === at - 1 ? entries[at]! : i === at ? entries[at - 1]! : entry))
  return (
    <div id={id}>
      <ol className="playlist">
        {entries.map((entry, i) => (
          <Entry
            // Entries have no unique key.
            key={`${entries.length} ${i}`}
            of={entry}
            number={i + 1}
            change={(next) => set(entries.with(i, next))}
            up={i ? () => set(swap(i)) : undefined}
            remove={() => set(entries.toSpliced(i, 1))}
          />
        ))}
      </ol>
      <Button icon={<PlusOutlined />} disabled={entries.length >= most.entries} onClick={() => set([...entries, first])}>
        {t('television.addEntry')}
      </Button>
    </div>
  )
}
