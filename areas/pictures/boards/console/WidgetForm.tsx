import { CloseOutlined } from '@ant-design/icons'
import { Button, Form, Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { FilesInput } from '../../../../console/files/FilesInput.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Attachment } from '../../../../contract/field.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { savedChart } from '../../../analysis/charts/contract.ts'
import { cards } from '../../../analysis/dashboard/console/cards.tsx'
import { reportGroup } from '../../../analysis/report-groups/contract.ts'
import { PointChoice } from '../../../analysis/telemetry/console/PointChoice.tsx'
import { device } from '../../../configuration/devices/contract.ts'
import { flowchart } from '../../flowcharts/contract.ts'
import { columns, most, ofPoints, type Widget } from '../contract.ts'
import { within } from './grid.ts'

type Props = {
  widget: Widget
  change: (widget: Widget) => void
  /** Of the board's widgets and its chosen device. */
  points: readonly ParaInfo[]
  /** Set if the viewer can choose a device, with the current choice. */
  variable: { device: number | undefined } | undefined
  images: readonly Attachment[]
  setImages: (images: readonly Attachment[]) => void
  /** Project of the board, or the currently selected one. */
  project: number | undefined
  close: () => void
}

const scaled: readonly Widget['Kind'][] = ['gauge', 'bars', 'heat']

/** Removes empty fields of a widget. */
const cleaned = (widget: Widget): Widget =>
  Object.fromEntries(Object.entries(widget).filter(([, value]) => value !== undefined && value !== null && value !== '')) as Widget

/** What is computed comes by a group: a board names stored points. */
const isOffered = (p: ParaInfo) => p.DeviceId > 0 && p.IsChartShow !== 0

type FieldProps = Pick<Props, 'widget' | 'points' | 'variable'> & { set: (some: Partial<Widget>) => void }
const PointFields = ({ widget, points, variable, set }: FieldProps) => {
  const t = useWords()
  const shown = (widget.Points ?? []).flatMap((id) => points.find((p) => p.ParaId === id) ?? [])
  const ofDevice = points.filter((p) => p.DeviceId === variable?.device)
  return (
    <>
      <Form.Item label={t('board.kind.points')}>
        <PointChoice points={shown} choose={(Points) => set({ Points })} most={most.pointsOfWidget} fits={isOffered} />
      </Form.Item>
      {variable && (
        <Form.Item label={t('board.pointNames')} htmlFor="board-names" help={t('board.pointNamesHelp')}>
          <Select
            id="board-names"
            mode="tags"
            maxCount={most.pointsOfWidget}
            value={[...(widget.PointNames ?? [])]}
            options={ofDevice.map((p) => ({ value: p.ParaName }))}
            onChange={(PointNames: string[]) => set({ PointNames: PointNames.map((name) => name.slice(0, 50)) })}
          />
        </Form.Item>
      )}
    </>
  )
}

const Numbers = ({
  fields,
  widget,
  set,
}: Pick<FieldProps, 'widget' | 'set'> & { fields: readonly ('Min' | 'Max' | 'X' | 'Y' | 'W' | 'H')[] }) => {
  const t = useWords()
  return (
    <div className="board-numbers">
      {fields.map((name) => (
        <Form.Item key={name} label={t(`board.${name}`)} htmlFor={`board-${name}`}>
          <InputNumber
            id={`board-${name}`}
            value={name === 'X' || name === 'Y' ? widget[name] + 1 : (widget[name] ?? null)}
            {...(name.length === 1 && { min: 1, max: name === 'Y' || name === 'H' ? 999 : columns, precision: 0 })}
            onChange={(value) => {
              if (value === null && name.length === 1) return
              set({ [name]: value === null ? undefined : name === 'X' || name === 'Y' ? value - 1 : value })
            }}
          />
        </Form.Item>
      ))}
    </div>
  )
}

/** Settings of one widget. The board shows changes immediately. */
export const WidgetForm = ({ widget, change, points, variable, images, setImages, project, close }: Props) => {
  const t = useWords()
  const set = (some: Partial<Widget>) => change(cleaned({ ...widget, ...some }))
  const { Kind } = widget
  const field = (label: string, id: string, input: ReactNode) => (
    <Form.Item label={t(label)} htmlFor={id}>
      {input}
    </Form.Item>
  )
  const image = images.find(({ FilePath }) => FilePath === widget.Image)
  return (
    <aside className="board-settings" aria-label={t('board.settingsOf', { name: t(`board.kind.${Kind}`) })}>
      <header className="board-widget-head">
        <h2>{t(`board.kind.${Kind}`)}</h2>
        <Button type="text" size="small" icon={<CloseOutlined />} aria-label={t('close')} onClick={close} />
      </header>
      <Form layout="vertical">
        {field(
          'visualBoard.Title',
          'board-title',
          <Input id="board-title" maxLength={60} value={widget.Title ?? ''} onChange={({ target }) => set({ Title: target.value })} />,
        )}
        {ofPoints.includes(Kind) && <PointFields widget={widget} points={points} variable={variable} set={set} />}
        {ofPoints.includes(Kind) && (
          <Form.Item label={t('reportGroup')} htmlFor="board-group" help={t('board.groupHelp', { most: most.pointsOfWidget })}>
            <RefInput
              id="board-group"
              to={reportGroup}
              value={widget.Group ?? null}
              where={{ IsShared: 1 }}
              onChange={(Group) => set({ Group: Group ?? undefined })}
            />
          </Form.Item>
        )}
        {Kind === 'chart' && (
          <Form.Item label={t('board.kind.chart')} htmlFor="board-chart" help={t('board.chartHelp')}>
            <RefInput
              id="board-chart"
              to={savedChart}
              value={widget.Chart ?? null}
              onChange={(Chart) => set({ Chart: Chart ?? undefined })}
            />
          </Form.Item>
        )}
        {Kind === 'devices' &&
          field(
            'board.kind.devices',
            'board-devices',
            <RefsInput
              id="board-devices"
              to={device}
              value={widget.Devices ?? []}
              placeholder={t('board.allDevices')}
              where={{ ProjectId: project }}
              onChange={(ids) => set({ Devices: ids.slice(0, most.devices) })}
            />,
          )}
        {Kind === 'picture' && (
          <Form.Item label={t('board.kind.picture')} htmlFor="board-picture" help={t('board.pictureHelp')}>
            <RefInput
              id="board-picture"
              to={flowchart}
              value={widget.Flowchart ?? null}
              where={{ State: 1, ProjectId: project }}
              onChange={(Flowchart) => set({ Flowchart: Flowchart ?? undefined })}
            />
          </Form.Item>
        )}
        {Kind === 'text' && (
          <Form.Item label={t('board.kind.text')} htmlFor="board-text" help={t('board.textHelp')}>
            <Input.TextArea
              id="board-text"
              rows={8}
              maxLength={2000}
              value={widget.Text ?? ''}
              onChange={({ target }) => set({ Text: target.value })}
            />
          </Form.Item>
        )}
        {Kind === 'image' &&
          field(
            'board.kind.image',
            'board-image',
            <FilesInput
              id="board-image"
              most={1}
              value={image ? [image] : []}
              onChange={(files) => {
                const others = images.filter((one) => one !== image)
                setImages([...others, ...files])
                set({ Image: files[0]?.FilePath })
              }}
            />,
          )}
        {Kind === 'card' &&
          field(
            'board.kind.card',
            'board-card',
            <Select
              id="board-card"
              value={widget.Card}
              options={cards.map(({ name, title }) => ({ value: name, label: t(title) }))}
              onChange={(Card) => set({ Card })}
            />,
          )}
        {scaled.includes(Kind) && <Numbers fields={['Min', 'Max']} widget={widget} set={set} />}
        <Numbers fields={['X', 'Y', 'W', 'H']} widget={widget} set={(some) => change({ ...widget, ...within({ ...widget, ...some }) })} />
      </Form>
    </aside>
  )
}
