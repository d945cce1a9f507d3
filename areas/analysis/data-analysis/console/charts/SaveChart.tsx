import { App, Input, Modal } from 'antd'
import { useState } from 'react'
import { useSave } from '../../../../../console/kernel/api.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import { type ChartKind, type ChartUnit, chartSpans, savedChart } from '../../../charts/contract.ts'
import { reportGroup } from '../../../report-groups/contract.ts'

type Props = { points: readonly ParaInfo[]; kind: ChartKind; unit: ChartUnit; span: string | undefined; close: () => void }

/** Keeps a chart under a name, with a group of its points. */
export const SaveChart = ({ points, kind, unit, span, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [name, setName] = useState('')
  const [group, chart] = [useSave(reportGroup), useSave(savedChart)]
  const [made, setMade] = useState<{ Id: number; name: string }>()
  const given = name.trim()
  const keep = async () => {
    try {
      // A chart that was refused keeps its group for the next attempt.
      const { Id } =
        made?.name === given
          ? made
          : await group.mutateAsync({ GroupName: given, GroupType: 1, Points: points.map(({ ParaId }) => ({ ParaId })) })
      setMade({ Id, name: given })
      const Span = chartSpans.find((one) => one === span) ?? '7d'
      await chart.mutateAsync({ ChartName: given, GroupId: Id, Kind: kind, Unit: unit, Span })
    } catch {
      return
    }
    void message.success(t('chart.saved', { name: given }))
    close()
  }
  const error = group.error ?? chart.error
  return (
    <Modal
      open
      title={t('chart.save')}
      okText={t('save')}
      okButtonProps={{ disabled: !given, loading: group.isPending || chart.isPending }}
      onOk={() => void keep()}
      onCancel={close}
    >
      <Input
        value={name}
        maxLength={50}
        aria-label={t('savedChart.ChartName')}
        placeholder={t('savedChart.ChartName')}
        status={error ? 'error' : ''}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={() => given && void keep()}
      />
      {error && <p role="alert">{error.message}</p>}
      <p className="faint">{t('chart.saveHelp')}</p>
    </Modal>
  )
}
