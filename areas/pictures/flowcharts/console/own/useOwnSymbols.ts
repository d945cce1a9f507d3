import { useMemo } from 'react'
import { useRows } from '../../../../../console/kernel/api.ts'
import type { OwnSymbol } from '../../../../../contract/picture/drawing.ts'
import { ownKey } from '../../../../../contract/picture/ownSymbol.ts'
import { mostSymbols, pictureSymbol } from '../../../symbols/contract.ts'

const none: readonly OwnSymbol[] = []
/** The own symbols of a picture's company. */
export const useOwnSymbols = (company: number): readonly OwnSymbol[] => {
  const { data } = useRows(pictureSymbol, { PageSize: mostSymbols, EnterpriseId: company })
  return useMemo(
    () => data?.Items.map(({ Id, SymbolName, Drawing }) => ({ id: ownKey(Id), name: SymbolName, drawing: Drawing }) as OwnSymbol) ?? none,
    [data],
  )
}
