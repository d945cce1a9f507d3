// One record of each kind of energy management, made through the front door.

type Make = (path: string, draft: object) => Promise<{ Id: number }>

type Given = {
  name: string
  project: number
  code: string
  /** Tariffs are the whole company's: each of its organisations sees their names. */
  tariff?: string
}

export const addEnergy = async (make: Make, { name, project, code, tariff = `${name} tariff` }: Given) => {
  const { Id } = await make('/Energy/Info', {
    EnergyName: `${name} circuit`,
    EnergyCode: code,
    ProjectId: project,
    Source: 2,
    Remark: name,
  })
  const source = await make('/Energy/Info/Source', { EnergyInfoId: Id, From: '2026-01-31 00:00:00', StartReading: 4 })
  const entry = await make('/Energy/InfoData', { EnergyInfoId: Id, DataTime: '2026-01-31 00:00:00', Value: 5 })
  const prices = await make('/Energy/ElectricityPriceStandard', { StandardName: tariff, ValidFrom: '2026-01-01', BasePrice: 0.5 })
  const change = await make('/Energy/ElectricityPriceStandard/Circuit', {
    EnergyInfoId: Id,
    PriceStandardId: prices.Id,
    ValidFrom: '2026-02-01',
  })
  const bill = await make('/Energy/Bill', {
    ...{ BillNo: `${name} bill`, EnergyInfoId: Id, StartDate: '2026-01-01', EndDate: '2026-01-31' },
    BillLines: [{ Kind: 1, Quantity: 5, Amount: 2.5 }],
  })
  return {
    energyBill: bill.Id,
    electricityPriceStandard: prices.Id,
    energyTariff: change.Id,
    energyInfo: Id,
    energySource: source.Id,
    energyInfoData: entry.Id,
  }
}
