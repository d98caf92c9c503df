// The words of made-up values. An added word changes the values of every seed, so add a new kind of value instead.

const words = (text: string): readonly string[] => text.trim().split(/\s*,\s*/);

export const firstNames = words(`
  Ada, Adrian, Aisha, Alice, Amara, Anders, Anna, Anton, Bella, Ben, Carla, Carlos, Chen, Clara, Daniel, David, Diego, Elena, Elias, Emma,
  Erik, Esther, Fatima, Felix, Finn, Freya, Gabriel, Grace, Hana, Hannah, Hugo, Ida, Ines, Ingrid, Isaac, Ivan, Jakob, Jamal, Jana, Jonas,
  Julia, Kai, Karin, Kenji, Lara, Laura, Leo, Lena, Liam, Lina, Lucas, Lucia, Maja, Marco, Maria, Marta, Mateo, Mia, Mila, Nadia, Nina,
  Noah, Nora, Oliver, Olivia, Omar, Oscar, Paul, Petra, Priya, Rafael, Rosa, Ruth, Samuel, Sara, Simon, Sofia, Stefan, Theo, Thomas, Tom,
  Vera, Victor, Wanda, Yara, Yusuf, Zoe`);

export const lastNames = words(`
  Adams, Ahmed, Andersen, Bailey, Baker, Barnes, Bauer, Becker, Bennett, Berg, Bianchi, Brandt, Brown, Campbell, Carter, Castro, Chen,
  Clarke, Cole, Costa, Cruz, Dahl, Davies, Diaz, Dubois, Evans, Ferrari, Fischer, Fleming, Foster, Fuchs, Garcia, Gomez, Grant, Gray,
  Haas, Hansen, Harris, Hill, Holm, Hughes, Ito, Jansen, Jensen, Johnson, Jones, Kaya, Keller, Kim, King, Klein, Koch, Kumar, Lang,
  Larsen, Lee, Lopez, Martin, Mason, Meyer, Moore, Morgan, Moreau, Murphy, Nguyen, Nielsen, Novak, Nowak, Okafor, Olsen, Park, Patel,
  Pereira, Petrov, Price, Reed, Reyes, Richter, Rossi, Russo, Santos, Sato, Schmidt, Silva, Singh, Solheim, Stone, Suzuki, Taylor,
  Thomas, Turner, Vogel, Walker, Ward, Weber, White, Wilson, Wood, Wright, Young`);

export const positions = words(`
  Head of Purchasing, Operations Manager, Managing Director, IT Lead, Warehouse Manager, Office Manager, Sales Manager, Chief Engineer,
  Project Lead, Financial Controller, Quality Manager, Logistics Planner`);

export const trades = words(`
  Trading, Logistics, Freight, Foods, Textiles, Tools, Electrics, Packaging, Printing, Robotics, Timber, Ceramics, Instruments, Optics,
  Furniture, Supplies, Machinery, Pharma, Software, Systems`);

export const legalForms = words('Ltd, Inc, GmbH, and Sons, Group, Partners');

export const qualities = words(
  'Reliable, Simple, Fast, Careful, Honest, Lasting, Flexible, Local, Proven, Modern, Safe, Quiet, Complete, Practical, Steady',
);

export const goods = words(
  'barcode scanners, label printers, warehouse software, fleet tracking, support contracts, stocktaking, returns desks, pallet lifts, shelf displays, training days',
);

export const products = words(`
  Barcode scanner, Label printer, Handheld terminal, Pallet lift, Shelf display, Support plan, Training day, Licence, Installation,
  Docking station, Conveyor belt, Weighing scale, Cash drawer, Network switch`);

export const editions = words('basic, standard, rugged, compact, annual, portable, wireless, heavy-duty');

export const streets = words(`
  Mill Lane, Station Road, Church Street, Harbour Way, Market Square, Oak Avenue, Park Road, High Street, Bridge Street, Garden Row,
  Kings Road, River Walk, Meadow Lane, Foundry Street, Canal Street`);

export const cities = words(`
  Ashford, Bridgeport, Brookfield, Clearwater, Dayton, Eastport, Fairview, Georgetown, Glenwood, Hamilton, Kingston, Lakewood, Lexington,
  Madison, Milford, Newport, Oakland, Oxford, Riverside, Salem, Springfield, Westfield, Winchester, Woodstock`);

export const states = words(`
  Alabama, Arizona, California, Colorado, Florida, Georgia, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Maine, Maryland, Michigan,
  Minnesota, Missouri, Montana, Nevada, New York, Ohio, Oregon, Texas, Utah, Vermont, Virginia, Washington, Wisconsin`);

export const countries = words(`
  Austria, Belgium, Brazil, Canada, Denmark, Finland, France, Germany, India, Ireland, Italy, Japan, Kenya, Mexico, Netherlands, Norway,
  Poland, Portugal, Spain, Sweden, Switzerland, Turkey, United Kingdom, United States`);

export const sentenceWords = words(`
  they, we, asked, sent, called, wrote, want, need, new, the, a, price, offer, list, sample, order, week, month, delivery, contract, site,
  visit, answer, board, budget, team, again, soon, with, for, about, before, after, next, last, every, two, three, figures, details`);
