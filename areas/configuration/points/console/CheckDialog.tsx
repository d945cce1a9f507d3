import { Alert, Modal, Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { OnlyChoice } from '../../../../console/kernel/form/OnlyChoice.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { device } from '../../devices/contract.ts'
import { project } from '../../projects/contract.ts'
import { point, pointCalls } from '../contract.ts'

type Found = Answer<typeof pointCalls.violations>['Rows'][number]
const shownRows = 1000

/** Lists the points of a project that break a rule or have a warning. */
const CheckDialog = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const where = { EnterpriseId: tenant }
  const [chosen, choose] = useState<number | null>(null)
  const { data, error } = useCall(pointCalls.violations, {
    query: { ProjectId: chosen ?? 0 },
    of: [point.name, device.name],
    enabled: chosen !== null,
  })
  const counts = data && t('point.checkFound', { broken: data.Broken, warnings: data.Warnings })
  const type = data?.Broken ? 'error' : data?.Warnings ? 'warning' : 'success'
  return (
    <Modal open width={860} title={t('point.check')} footer={null} onCancel={close}>
      <div className="stack" aria-live="polite">
        <RefInput
          to={project}
          value={chosen}
          onChange={choose}
          where={where}
          placeholder={t('project')}
          aria-label={t('project')}
          allowClear={false}
        />
        {chosen === null && <OnlyChoice to={project} where={where} choose={choose} />}
        {error && <Failure fault={error} />}
        {chosen !== null && !data && !error && <Waiting />}
        {data && <Alert type={type} showIcon title={data.Rows.length ? counts : t('point.checkFine')} />}
        {data && data.Rows.length >= shownRows && <Alert type="info" showIcon title={t('point.checkMore', { count: shownRows })} />}
        {data && data.Rows.length > 0 && (
          <Table<Found>
            size="small"
            rowKey={(r) => `${r.DeviceId}-${r.ParaId}-${r.Field}-${r.Message}`}
            dataSource={data.Rows}
            pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
            scroll={{ x: 'max-content' }}
            columns={[
              { key: 'device', title: t('device'), dataIndex: 'DeviceName' },
              {
                key: 'point',
                title: t('point'),
                render: (_, r) => (
                  <Link
                    to={`/projectManagement/pointManagement?DeviceId=${r.DeviceId}&q=${encodeURIComponent(r.ParaName)}`}
                    onClick={close}
                  >
                    {r.ParaName || t('many.point', { count: 2 })}
                  </Link>
                ),
              },
              { key: 'field', title: t('sheet.field'), render: (_, r) => t(`point.${r.Field}`) },
              { key: 'kind', title: t('point.checkKind'), render: (_, r) => t(r.IsBroken ? 'point.checkRule' : 'point.checkWarning') },
              { key: 'message', title: t('sheet.reason'), dataIndex: 'Message' },
            ]}
          />
        )}
      </div>
    </Modal>
  )
}
export default CheckDialog
