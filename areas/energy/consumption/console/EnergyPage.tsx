import { Segmented, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import type { CalendarSpan } from '../../../../console/chart/calendarSpans.ts'
import { PeriodPicker } from '../../../../console/chart/PeriodPicker.tsx'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { Behind } from './Behind.tsx'
import { AskContext, type Asked } from './MadeOf.tsx'
import type { CircuitInfo, Energy } from './useEnergy.ts'
import './energy.css'

export { type Energy, sources, useEnergy } from './useEnergy.ts'

const spans: readonly CalendarSpan[] = ['day', 'week', 'month', 'year', 'range']

type ChooseProps<T extends string | number> = {
  value: T
  choose: (value: T) => void
  options: readonly { value: T; label: string }[]
  label: string
}
/** One of a few: side by side, and a list on a phone. */
export const Choose = <T extends string | number>({ value, choose, options, label }: ChooseProps<T>) =>
  usePhone() ? (
    <Select value={value} onChange={choose} options={[...options]} aria-label={label} style={{ minWidth: 120 }} />
  ) : (
    <Segmented<T> value={value} onChange={choose} options={[...options]} aria-label={label} />
  )

/** Circuits in the order of their tree, those below another moved in. */
const circuitOptions = (circuits: readonly CircuitInfo[]) => {
  const known = new Set(circuits.map(({ EnergyInfoId }) => EnergyInfoId))
  const below = Map.groupBy(circuits, ({ ParentId }) => (ParentId !== null && known.has(ParentId) ? ParentId : 0))
  const listed = (parent: number, depth: number): { value: number; label: string; name: string }[] =>
    depth > 20
      ? []
      : (below.get(parent) ?? []).flatMap(({ EnergyInfoId, EnergyName }) => [
          { value: EnergyInfoId, label: `${'\u2003'.repeat(depth)}${EnergyName}`, name: EnergyName },
          ...listed(EnergyInfoId, depth + 1),
        ])
  return listed(0, 0)
}

/** Finds circuits by any part of their name, whatever its case. */
const byName = {
  filterOption: (text: string, option?: { name: string }) => (option?.name ?? '').toLocaleLowerCase().includes(text.toLocaleLowerCase()),
}

type SeveralProps = { of: readonly CircuitInfo[]; value: number[]; choose: (ids: number[]) => void; most: number; label: string }
/** Chooses several circuits. */
export const CircuitsChoice = ({ of, value, choose, most, label }: SeveralProps) => (
  <Select
    className="energy-circuits"
    mode="multiple"
    value={value}
    onChange={choose}
    maxCount={most}
    maxTagCount="responsive"
    options={circuitOptions(of)}
    optionLabelProp="name"
    showSearch={byName}
    placeholder={label}
    aria-label={label}
  />
)

/** Chooses the circuit to show. */
export const CircuitChoice = ({ energy: { circuits, circuit, put } }: { energy: Energy }) => {
  const t = useWords()
  return (
    <Select
      className="energy-circuit"
      value={circuit?.EnergyInfoId}
      onChange={(node) => put({ node })}
      options={circuitOptions(circuits)}
      optionLabelProp="name"
      showSearch={byName}
      popupMatchSelectWidth={false}
      aria-label={t('energyInfo')}
    />
  )
}

/** What to do where nothing can be shown yet. */
const NoCircuits = ({ project }: { project: number | undefined }) => {
  const t = useWords()
  const go = useGo()
  const mayAdd = useMay('m10702.add')
  return (
    <EmptyList
      text={t('empty.energyInfo')}
      action={
        mayAdd && {
          label: t('circuit.propose'),
          run: () => go(`/energyManagement/energyCircuit?propose=1${project ? `&ProjectId=${project}` : ''}`),
        }
      }
    />
  )
}

type Props = {
  code: string
  energy: Energy
  actions?: ReactNode
  /** Choices behind the period. */
  tools?: ReactNode
  /** Whether the screen shows one kind of energy. */
  oneKind?: boolean
  /** Periods to choose from; none, where the screen has no period. */
  spans?: readonly CalendarSpan[]
  children: ReactNode
}
/** The frame of a screen of energy: project, kind and period above, and what its figures are made of beside it. */
export const EnergyPage = ({ code, energy, actions, tools, oneKind = true, spans: offered = spans, children }: Props) => {
  const t = useWords()
  const [asked, ask] = useState<Asked>()
  const { answer, here, isOneProject, projectId, kinds, kind, period, put } = energy
  const chooser = !isOneProject && projectId !== undefined && (
    <span className="search-filter">
      <RefInput
        to={project}
        value={projectId}
        allowClear={false}
        aria-label={t('energyInfo.ProjectId')}
        onChange={(ProjectId) => put({ ProjectId, node: undefined })}
      />
    </span>
  )
  return (
    <Page title={t(`menu.${code}`)} actions={here.length > 0 && actions}>
      {answer.error && !answer.data ? (
        <Failure fault={answer.error} retry={() => answer.refetch()} />
      ) : !answer.data ? (
        <Waiting />
      ) : !here.length ? (
        <>
          {chooser && <search className="search-bar">{chooser}</search>}
          <NoCircuits project={projectId} />
        </>
      ) : (
        <AskContext value={ask}>
          <search className="search-bar">
            {chooser}
            {oneKind && kinds.length > 1 && (
              <Choose
                value={kind!}
                choose={(next) => put({ kind: next, node: undefined })}
                options={kinds.map((value) => ({ value, label: t(`energyInfo.EnergyType.${value}`) }))}
                label={t('energyInfo.EnergyType')}
              />
            )}
            {offered.length > 0 && <PeriodPicker of={period.of} spans={offered} today={period.today} set={period.set} />}
            {tools}
          </search>
          {children}
        </AskContext>
      )}
      {asked && <Behind of={asked} project={projectId} close={() => ask(undefined)} />}
    </Page>
  )
}
