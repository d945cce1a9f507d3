import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useCall, useWrite } from '../../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../../console/kernel/Empty.tsx'
import { download, queryString } from '../../../../../console/session/request.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { energyCalls, report, reportColumns } from '../../contract.ts'
import { Choose } from '../EnergyPage.tsx'
import { MadeLegend } from '../MadeOf.tsx'
import { type Energy, sources } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'
import { lateMark, MatrixTable, type Shown } from './MatrixTable.tsx'
import { type Columns, columnsOf } from './matrixColumns.ts'

const shownKinds = ['energy', 'cost'] as const
const formats = ['xlsx', 'pdf'] as const

/** Circuits by day, month or price level, or regions by kind: as a table, a sheet and on paper. */
export const ReportTable = ({
  energy: { address, put, period, projectId, maySeeCost, here },
  of,
}: {
  energy: Energy
  of: 'circuits' | 'regions'
}) => {
  const t = useWords()
  const mayExport = useMay(`${report}.export`)
  const { days } = period
  const isRegion = of === 'regions'
  const by: Columns = reportColumns.find((one) => one === address.get('columns')) ?? 'day'
  const shown: Shown = maySeeCost && address.get('show') === 'cost' ? 'cost' : 'energy'
  const range = { DateFrom: days.from, DateTo: days.to, ...(projectId ? { ProjectId: projectId } : {}) }
  const data = useCall(energyCalls.reportData, { query: { ...range, Columns: by }, of: sources, enabled: !isRegion })
  const regions = useCall(energyCalls.reportRegion, { query: range, of: sources, enabled: isRegion })
  const file = useWrite([], (Format: (typeof formats)[number]) => {
    const { path } = isRegion ? energyCalls.regionOutput : energyCalls.dataOutput
    const query = queryString({ ...range, ...(isRegion ? {} : { Columns: by }), Format })
    return download(`${path}${query}`, `${t(`menu.${report}`)}.${Format}`)
  })
  const codes = new Map(here.map(({ EnergyCode, EnergyInfoId }) => [EnergyCode, EnergyInfoId]))
  return (
    <>
      <div className="search-bar">
        {!isRegion && (
          <Choose<Columns>
            value={by}
            choose={(next) => put({ columns: next === 'day' ? undefined : next })}
            options={reportColumns.map((value) => ({ value, label: t(`energy.columns.${value}`) }))}
            label={t('energy.columns')}
          />
        )}
        {maySeeCost && (
          <Choose<Shown>
            value={shown}
            choose={(next) => put({ show: next === 'energy' ? undefined : next })}
            options={shownKinds.map((value) => ({ value, label: t(`energy.show.${value}`) }))}
            label={t('energy.show')}
          />
        )}
        <span className="search-actions">
          {mayExport &&
            formats.map((format) => (
              <Button
                key={format}
                icon={<DownloadOutlined />}
                loading={file.isPending && file.variables === format}
                onClick={() => file.mutate(format)}
              >
                {t(format === 'pdf' ? 'energy.pdf' : 'energy.sheet')}
              </Button>
            ))}
        </span>
      </div>
      <Answered of={isRegion ? regions : data}>
        {(matrix) =>
          matrix.Rows.length ? (
            <>
              <MatrixTable
                matrix={matrix}
                columns={columnsOf(matrix, isRegion ? 'month' : by, days, t)}
                days={days}
                shown={shown}
                nameOf={({ Name, EnergyType }) =>
                  isRegion ? t('energy.regionKind', { region: Name, kind: t(`energyInfo.EnergyType.${EnergyType}`) }) : Name
                }
                circuitOf={({ EnergyCode }) => (EnergyCode === null ? undefined : codes.get(EnergyCode))}
              />
              {matrix.Rows.some(({ Total }) => Total.Late) && <p>{`${lateMark.trim()} ${t('energy.lateHelp')}`}</p>}
              <p className="faint">{t('energy.lastDigit')}</p>
              <MadeLegend />
            </>
          ) : (
            <EmptyList text={t(isRegion ? 'energy.noRegions' : 'energy.flow.nothing')} />
          )
        }
      </Answered>
    </>
  )
}
