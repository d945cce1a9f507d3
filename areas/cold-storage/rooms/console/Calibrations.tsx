import { Button } from 'antd'
import { useState } from 'react'
import { useRemove, useRows } from '../../../../console/kernel/api.ts'
import { Cell } from '../../../../console/kernel/fields.tsx'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { DayInput } from '../../../energy/tariffs/console/DayInput.tsx'
import { coldCalibration, type coldSensorBind } from '../contract.ts'

const inputs = { CalibDate: DayInput, CalibDue: DayInput }

/** The calibrations of a sensor, the newest first. */
export default function Calibrations({ row, close }: DialogProps<typeof coldSensorBind>) {
  const t = useWords()
  const confirm = useConfirm()
  const [mayAdd, mayEdit, mayRemove] = [useMay('m10731.add'), useMay('m10731.edit'), useMay('m10731.remove')]
  const { data } = useRows(coldCalibration, { PageIndex: 1, PageSize: 100, SensorBindId: row.Id })
  const remove = useRemove(coldCalibration)
  const [editing, edit] = useState<{ row?: NonNullable<typeof data>['Items'][number] }>()
  const items = data?.Items ?? []
  const ask = (of: (typeof items)[number]) =>
    confirm({
      title: t('list.removeOne', { title: of.CalibDate }),
      content: t('remove.coldCalibration'),
      run: () => remove.mutateAsync([of.Id]),
    })
  return (
    <SidePanel width={560} title={t('cold.calibrationsOf', { name: row.SensorName })} onClose={close} mask={{ closable: true }}>
      <div className="stack">
        {data && !items.length && <p className="soft">{t('empty.coldCalibration')}</p>}
        <ul className="cold-lines">
          {items.map((of) => (
            <li key={of.Id} className="cold-line">
              <strong className="figures">{`${of.CalibDate} – ${of.CalibDue}`}</strong>
              <span className="soft">
                {t('coldCalibration.CalibOffset')}{' '}
                <span className="figures">{`${of.CalibOffset > 0 ? '+' : ''}${numberText(of.CalibOffset, 0, language(), 3)}`}</span>
                {of.CertificateNo && ` · ${of.CertificateNo}`}
              </span>
              <Cell of={coldCalibration} field="Files" row={of} />
              <span className="button-row">
                {mayEdit && (
                  <Button size="small" onClick={() => edit({ row: of })}>
                    {t('button.edit')}
                  </Button>
                )}
                {mayRemove && (
                  <Button size="small" danger onClick={() => ask(of)}>
                    {t('button.remove')}
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
        {mayAdd && <Button onClick={() => edit({})}>{t('cold.calibrate')}</Button>}
      </div>
      {editing && (
        <ResourceForm
          of={coldCalibration}
          {...(editing.row ? { row: editing.row } : {})}
          fixed={editing.row ? {} : { SensorBindId: row.Id }}
          inputs={inputs}
          close={() => edit(undefined)}
        />
      )}
    </SidePanel>
  )
}
