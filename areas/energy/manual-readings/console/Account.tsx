import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { energyInfoData, entryCalls } from '../contract.ts'
import { LedgerScreen } from './LedgerScreen.tsx'
import type { Book } from './useLedger.ts'

const columns = ['EnergyInfoId', 'DataTime', 'CycleType', 'Value', 'IsReading', 'Source']
const filters = ['EnergyInfoId', 'DataTime', 'CycleType']
const none = { text: 'entry.noCircuits', to: '/energyManagement/energyCircuit', menu: 'm10702' }

const useBook = (ProjectId: number, Of: string, view: string): Book => {
  const IsReading = view === 'readings' ? 1 : 0
  const answer = useCall(entryCalls.ledger, { query: { ProjectId, Of, IsReading }, of: ['energyInfoData', 'energyInfo'] })
  const save = useCommand(entryCalls.save, ['energyInfoData'], { meta: { quiet: true } })
  return {
    ...{ error: answer.error, refetch: answer.refetch, isSaving: save.isPending, more: answer.data?.More ?? false },
    columns: answer.data?.Circuits.map(({ Id, EnergyName, EnergyCode, Unit }) => ({ Id, Name: EnergyName, Code: EnergyCode, Unit })),
    cells: (answer.data?.Cells ?? []).map(({ EnergyInfoId, ...cell }) => ({ Id: EnergyInfoId, ...cell })),
    save: (cells, { onSuccess, onError }) =>
      save.mutate(
        { body: { IsReading, Cells: cells.map(({ Id, ...cell }) => ({ EnergyInfoId: Id, ...cell })) } },
        { onSuccess: ({ Warnings }) => onSuccess(Warnings.map(({ EnergyInfoId, ...one }) => ({ Id: EnergyInfoId, ...one }))), onError },
      ),
  }
}

const Account = () => (
  <LedgerScreen
    {...{ columns, filters, none, useBook }}
    entries={energyInfoData}
    views={['amounts', 'readings']}
    columnWord="energyInfoData.EnergyInfoId"
    help="entry.help"
  />
)
export default Account
