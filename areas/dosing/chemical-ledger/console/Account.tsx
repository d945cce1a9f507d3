import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { type Book, LedgerScreen } from '../../../energy/manual-readings/console/LedgerScreen.tsx'
import { drugEntryCalls, drugInfoData } from '../contract.ts'

const columns = ['DrugInfoId', 'DataTime', 'CycleType', 'Value', 'WaterValue', 'Operator', 'Batch', 'Remark', 'Source']
const filters = ['DrugInfoId', 'DataTime', 'CycleType']
const none = { text: 'entry.noChemicals', to: '/drugManagement/drugRecord', menu: 'm10722' }

/** What was dosed, and the water that it went into: two grids of the same entries. */
const useBook = (ProjectId: number, Of: string, view: string): Book => {
  const field = view === 'water' ? 'WaterValue' : 'Value'
  const answer = useCall(drugEntryCalls.ledger, { query: { ProjectId, Of }, of: ['drugInfoData', 'drugInfo'] })
  const save = useCommand(drugEntryCalls.save, ['drugInfoData'], { meta: { quiet: true } })
  return {
    ...{ error: answer.error, refetch: answer.refetch, isSaving: save.isPending, more: answer.data?.More ?? false },
    columns: answer.data?.Chemicals.map(({ Id, DrugName, DrugCode, Unit }) => ({
      ...{ Id, Name: DrugName, Code: DrugCode, Unit: view === 'water' ? 'm³' : Unit },
    })),
    cells: (answer.data?.Cells ?? []).flatMap(({ DrugInfoId, Time, [field]: Value }) =>
      Value === null ? [] : [{ Id: DrugInfoId, Time, Value }],
    ),
    save: (cells, { onSuccess, onError }) =>
      save.mutate(
        { body: { Cells: cells.map(({ Id, Time, Value }) => ({ DrugInfoId: Id, Time, [field]: Value })) } },
        { onSuccess: ({ Warnings }) => onSuccess(Warnings.map(({ DrugInfoId, ...one }) => ({ Id: DrugInfoId, ...one }))), onError },
      ),
  }
}

const Account = () => (
  <LedgerScreen
    {...{ columns, filters, none, useBook }}
    entries={drugInfoData}
    views={['dosed', 'water']}
    columnWord="drugInfoData.DrugInfoId"
    help="entry.helpChemicals"
  />
)
export default Account
